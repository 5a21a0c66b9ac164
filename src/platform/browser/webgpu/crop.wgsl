struct Params {
  source_width: u32,
  x_min: u32,
  y_min: u32,
  width: u32,
  height: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;

@compute @workgroup_size(16, 16)
fn crop(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.width || id.y >= params.height) {
    return;
  }
  let from_row = (params.y_min + id.y) * params.source_width;
  result[id.y * params.width + id.x] = source[from_row + params.x_min + id.x];
}

struct Params {
  source_width: u32,
  source_height: u32,
  width: u32,
  height: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;

// Integers only: the source sample below the centre of each result sample. Exact while 2 · source · result < 2³² on both axes.
@compute @workgroup_size(16, 16)
fn resize_nearest(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.width || id.y >= params.height) {
    return;
  }
  let x = (2 * id.x + 1) * params.source_width / (2 * params.width);
  let y = (2 * id.y + 1) * params.source_height / (2 * params.height);
  result[id.y * params.width + id.x] = source[y * params.source_width + x];
}

struct Params {
  // source pixel of result pixel 0, and how far a column and a row of the result step through the source
  origin: i32,
  column: i32,
  row: i32,
  width: u32,
  height: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;

@compute @workgroup_size(16, 16)
fn rotate_quarters(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.width || id.y >= params.height) {
    return;
  }
  let from_pixel = params.origin + i32(id.x) * params.column + i32(id.y) * params.row;
  result[id.y * params.width + id.x] = source[from_pixel];
}

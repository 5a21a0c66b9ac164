struct Params {
  width: u32,
  height: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;
// for each result pixel the source pixel that the lens put it at, -1 = none
@group(0) @binding(3) var<storage, read> source_pixels: array<i32>;

@compute @workgroup_size(16, 16)
fn undistort(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.width || id.y >= params.height) {
    return;
  }
  let i = id.y * params.width + id.x;
  let source_pixel = source_pixels[i];
  if (source_pixel < 0) {
    result[i] = 255u << 24;
  } else {
    result[i] = source[source_pixel];
  }
}

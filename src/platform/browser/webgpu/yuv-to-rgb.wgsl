struct Params {
  width: u32,
  height: u32,
  v_start: u32,
  chroma_step: u32,
  scale: u32,
  bias: i32,
  red_of_v: i32,
  green_of_u: i32,
  green_of_v: i32,
  blue_of_u: i32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;
// Bytes: Y row by row, then U and V of each block of 2×2, one plane after the other or side by side.
@group(0) @binding(2) var<storage, read> planes: array<u32>;

fn byte_at(index: u32) -> u32 {
  return (planes[index >> 2] >> (8 * (index & 3))) & 255;
}

@compute @workgroup_size(16, 16)
fn yuv_to_rgb(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.width || id.y >= params.height) {
    return;
  }
  let i = id.y * params.width + id.x;
  let chroma = params.chroma_step * ((id.y >> 1) * ((params.width + 1) >> 1) + (id.x >> 1));
  let brightness = i32((byte_at(i) * 257 * params.scale) >> 16) + params.bias;
  let u = i32(byte_at(params.width * params.height + chroma)) - 128;
  let v = i32(byte_at(params.v_start + chroma)) - 128;
  let colours = vec3i(
    brightness + params.red_of_v * v,
    brightness - params.green_of_u * u - params.green_of_v * v,
    brightness + params.blue_of_u * u,
  );
  let rgb = vec3u(clamp(colours >> vec3u(6), vec3i(0), vec3i(255)));
  result[i] = rgb.r | (rgb.g << 8) | (rgb.b << 16) | 0xff000000u;
}

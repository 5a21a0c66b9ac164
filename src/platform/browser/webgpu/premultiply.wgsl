struct Params {
  width: u32,
  height: u32,
  // 1 = in 8 bits, as the machine does before a filter; 0 = in 16, as it does elsewhere: not always the same byte
  in_eight_bits: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;

// Composites on black: colours times alpha, alpha 255.
@compute @workgroup_size(16, 16)
fn premultiply(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.width || id.y >= params.height) {
    return;
  }
  let i = id.y * params.width + id.x;
  let pixel = source[i];
  let colours = vec3u(pixel, pixel >> 8, pixel >> 16) & vec3u(255);
  let alpha = pixel >> 24;
  var product = (colours * 257 * alpha / 255) >> vec3u(8);
  if (params.in_eight_bits == 1) {
    product = colours * alpha / 255;
  }
  result[i] = product.r | (product.g << 8) | (product.b << 16) | (255u << 24);
}

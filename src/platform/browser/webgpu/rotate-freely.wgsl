struct Params {
  source_width: i32,
  source_height: i32,
  width: u32,
  height: u32,
}

// What a column, or a row, of the result adds to the source position: whole pixels (two's complement) and 2⁻³² pixels.
// float32 alone would put a pixel in the thousands off by a ten-thousandth, enough to show between neighbours of unlike alpha.
struct Offset {
  x_whole: u32,
  x_fraction: u32,
  y_whole: u32,
  y_fraction: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;
@group(0) @binding(3) var<storage, read> columns: array<Offset>;
@group(0) @binding(4) var<storage, read> rows: array<Offset>;

const OPAQUE_BLACK = 255u << 24;

fn unpack(x: i32, y: i32) -> vec4f {
  if (x < 0 || y < 0 || x >= params.source_width || y >= params.source_height) {
    return vec4f(0, 0, 0, 255);
  }
  let pixel = source[y * params.source_width + x];
  return vec4f(vec4u(pixel, pixel >> 8, pixel >> 16, pixel >> 24) & vec4u(255));
}

fn weighted(pixel: vec4f, weight: f32) -> vec4f {
  let alpha = pixel.a * weight;
  return vec4f(pixel.rgb * alpha, alpha);
}

fn fixed_sum(whole_a: u32, fraction_a: u32, whole_b: u32, fraction_b: u32) -> vec2u {
  let fraction = fraction_a + fraction_b;
  return vec2u(whole_a + whole_b + select(0u, 1u, fraction < fraction_a), fraction);
}

@compute @workgroup_size(16, 16)
fn rotate_freely(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.width || id.y >= params.height) {
    return;
  }
  let i = id.y * params.width + id.x;
  let column = columns[id.x];
  let row = rows[id.y];
  let from_x = fixed_sum(column.x_whole, column.x_fraction, row.x_whole, row.x_fraction);
  let from_y = fixed_sum(column.y_whole, column.y_fraction, row.y_whole, row.y_fraction);
  let left = bitcast<i32>(from_x.x);
  let top = bitcast<i32>(from_y.x);
  if (left < -1 || top < -1 || left >= params.source_width || top >= params.source_height) {
    result[i] = OPAQUE_BLACK;
    return;
  }
  let right = f32(from_x.y) * exp2(-32.0);
  let bottom = f32(from_y.y) * exp2(-32.0);
  let sum = weighted(unpack(left, top), (1 - right) * (1 - bottom))
    + weighted(unpack(left + 1, top), right * (1 - bottom))
    + weighted(unpack(left, top + 1), (1 - right) * bottom)
    + weighted(unpack(left + 1, top + 1), right * bottom);
  if (sum.a == 0) {
    result[i] = 0;
    return;
  }
  let mean = vec4u(min(vec4f(sum.rgb / sum.a, sum.a) + 0.5, vec4f(255)));
  result[i] = mean.r | (mean.g << 8) | (mean.b << 16) | (mean.a << 24);
}

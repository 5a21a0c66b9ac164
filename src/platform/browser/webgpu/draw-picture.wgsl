struct Params {
  width: u32,
  height: u32,
  drawn_width: u32,
  drawn_height: u32,
  form: u32,
}

// The numbers are those of `forms` in webgpu-pictures.ts.
const STRAIGHT = 0u;
const YCBCR = 2u;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> source: array<u32>;

// As a person is shown it: on black.
fn shown(pixel: u32) -> vec3u {
  let samples = vec3u(pixel, pixel >> 8, pixel >> 16) & vec3u(255);
  if (params.form == YCBCR) {
    return to_rgb(vec3i(samples));
  }
  return select(samples, samples * (pixel >> 24) / 255, params.form == STRAIGHT);
}

@vertex
fn cover(@builtin(vertex_index) corner: u32) -> @builtin(position) vec4f {
  return vec4f(f32(corner & 1) * 4 - 1, f32(corner >> 1) * 4 - 1, 0, 1);
}

// The mean of the pixels that lie in one of the drawn picture: in full size that is the pixel itself.
@fragment
fn draw(@builtin(position) position: vec4f) -> @location(0) vec4f {
  let at = vec2u(position.xy);
  let size = vec2u(params.width, params.height);
  let drawn = vec2u(params.drawn_width, params.drawn_height);
  let first = at * size / drawn;
  let end = max((at + 1) * size / drawn, first + 1);
  var sum = vec3u(0);
  for (var y = first.y; y < end.y; y++) {
    for (var x = first.x; x < end.x; x++) {
      sum += shown(source[y * params.width + x]);
    }
  }
  let count = (end.x - first.x) * (end.y - first.y);
  return vec4f(vec3f((sum + count / 2) / count) / 255, 1);
}

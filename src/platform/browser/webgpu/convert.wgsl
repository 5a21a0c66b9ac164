struct Params {
  width: u32,
  height: u32,
  conversion: u32,
}

// The numbers are those of `conversions` in frame-passes.ts.
const JPEG_PLANES_TO_RGB = 0u;
// Composites on black, alpha kept beside: in 8 bits as the machine does before a filter, in 16 as elsewhere; not always the same byte.
const MULTIPLY_IN_8_BITS = 1u;
const MULTIPLY_IN_16_BITS = 2u;
// Undoes the multiplication, cut off; nothing is left where alpha is 0.
const DIVIDE_BY_ALPHA = 3u;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;

@compute @workgroup_size(16, 16)
fn convert(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.width || id.y >= params.height) {
    return;
  }
  let i = id.y * params.width + id.x;
  let pixel = source[i];
  let samples = vec3u(pixel, pixel >> 8, pixel >> 16) & vec3u(255);
  let alpha = pixel >> 24;
  var converted = samples;
  switch params.conversion {
    case JPEG_PLANES_TO_RGB: {
      converted = to_rgb(vec3i(samples));
    }
    case MULTIPLY_IN_8_BITS: {
      converted = samples * alpha / 255;
    }
    case MULTIPLY_IN_16_BITS: {
      converted = (samples * 257 * alpha / 255) >> vec3u(8);
    }
    case DIVIDE_BY_ALPHA: {
      converted = select(min(samples * 255 / max(alpha, 1), vec3u(255)), vec3u(0), alpha == 0);
    }
    default: {}
  }
  result[i] = converted.r | (converted.g << 8) | (converted.b << 16) | (alpha << 24);
}

struct Params {
  pixel_count: u32,
  is_nhwc: u32,
  is_bgr: u32,
  is_ycbcr: u32,
  is_float: u32,
  word_count: u32,
  words_per_row: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;
// The bits of what each byte becomes, 256 for each output channel. Looked up, because WGSL's division may be off by 2.5 ULP;
// as bits, because a float may lose its sign or be flushed to zero on the way.
@group(0) @binding(3) var<storage, read> normalized: array<u32>;

// Element of the tensor, in its row-major order: x = the byte, y = its channel.
fn element(index: u32) -> vec2u {
  var channel = index / params.pixel_count;
  var pixel_index = index % params.pixel_count;
  if (params.is_nhwc == 1) {
    channel = index % 3;
    pixel_index = index / 3;
  }
  let pixel = source[pixel_index];
  var samples = vec3u(pixel, pixel >> 8, pixel >> 16) & vec3u(255);
  if (params.is_ycbcr == 1) {
    samples = to_rgb(vec3i(samples));
  }
  let from_channel = select(channel, 2 - channel, params.is_bgr == 1);
  return vec2u(samples[from_channel], channel);
}

@compute @workgroup_size(16, 16)
fn pack_tensor(@builtin(global_invocation_id) id: vec3u) {
  let word = id.y * params.words_per_row + id.x;
  if (id.x >= params.words_per_row || word >= params.word_count) {
    return;
  }
  if (params.is_float == 1) {
    let value = element(word);
    result[word] = normalized[value.y * 256 + value.x];
    return;
  }
  var bytes = 0u;
  for (var k = 0u; k < 4; k++) {
    let index = 4 * word + k;
    if (index < 3 * params.pixel_count) {
      bytes |= element(index).x << (8 * k);
    }
  }
  result[word] = bytes;
}

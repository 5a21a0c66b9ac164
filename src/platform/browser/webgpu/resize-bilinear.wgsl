// One axis of the machine's antialiased stretch, in the reference's integers: the weights come from triangle-filter.ts.
struct Params {
  // 0 = stretch columns, 1 = stretch rows
  axis: u32,
  source_width: u32,
  taps: u32,
  width: u32,
  height: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;
@group(0) @binding(3) var<storage, read> start: array<u32>;
@group(0) @binding(4) var<storage, read> weights: array<u32>;
@group(0) @binding(5) var<storage, read> totals: array<u32>;

@compute @workgroup_size(16, 16)
fn resize_bilinear(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.width || id.y >= params.height) {
    return;
  }
  let along = select(id.x, id.y, params.axis == 1);
  let step = select(1u, params.source_width, params.axis == 1);
  let line = select(id.y * params.source_width, id.x, params.axis == 1);
  var sum = vec3u(0);
  for (var tap = 0u; tap < params.taps; tap++) {
    let weight = weights[along * params.taps + tap];
    if (weight == 0) {
      continue; // beyond the filter's reach, perhaps beyond the frame
    }
    let pixel = source[line + (start[along] + tap) * step];
    sum += weight * (vec3u(pixel, pixel >> 8, pixel >> 16) & vec3u(255));
  }
  let mean = sum / totals[along];
  result[id.y * params.width + id.x] = mean.r | (mean.g << 8) | (mean.b << 16) | (255u << 24);
}

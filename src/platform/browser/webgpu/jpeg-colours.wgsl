// Red, green and blue of a JPEG's Y, Cb and Cr, in the reference's integers (src/machine/vision/frame-formats.ts).
fn to_rgb(ycbcr: vec3i) -> vec3u {
  let y = ycbcr.x * 65793;
  let cb = ycbcr.y - 128;
  let cr = ycbcr.z - 128;
  let rgb = vec3i(y + 91881 * cr, y - 22554 * cb - 46802 * cr, y + 116130 * cb) >> vec3u(16);
  return vec3u(clamp(rgb, vec3i(0), vec3i(255)));
}

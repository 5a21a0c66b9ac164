let loading: Promise<void> | undefined;

/** Registers the machine's font with the page, once. Without it, the system's font is used. */
export function loadMachineFont(): Promise<void> {
  loading ??= new FontFace('Go Regular', `url(${import.meta.env.BASE_URL}fonts/Go-Regular.ttf)`)
    .load()
    .then((face) => void document.fonts.add(face))
    .catch(() => {
      loading = undefined; // Offline on the first visit: the next look tries again.
    });
  return loading;
}

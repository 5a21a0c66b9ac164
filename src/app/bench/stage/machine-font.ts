let loading: Promise<void> | undefined;

/** Makes the face that the machine writes with known to the page, once. Without it the text falls back to the system's. */
export function loadMachineFont(): Promise<void> {
  loading ??= new FontFace('Go Regular', `url(${import.meta.env.BASE_URL}fonts/Go-Regular.ttf)`)
    .load()
    .then((face) => void document.fonts.add(face))
    .catch(() => {
      loading = undefined; // Offline on the first visit: the next look tries again.
    });
  return loading;
}

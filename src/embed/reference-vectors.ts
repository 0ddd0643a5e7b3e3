/**
 * Two texts and the vectors the built-in model gives them where everything works.
 *
 * Constants only, made on Linux x64 with the native library; WebAssembly gives the same. Asking
 * the model and comparing is `model-trial.ts`.
 */

export interface ReferenceVector {
  /** A query. */
  readonly text: string;
  /** Its vector, each number in a signed byte, the largest of them 127; base64. */
  readonly bytes: string;
}

/** One in Japanese, one in English. To be made again whenever the model file changes. */
export const REFERENCE_VECTORS: readonly ReferenceVector[] = [
  {
    text: "間違って消したデータを元に戻したい",
    bytes:
      "Qt4CvUTyDBcR/iIpVADnTTjfxtcfObM4LkbIWjOfj+tK2yAswdJP2L4aKHPwMconx9jwLwgfDru3spE3NgETLn80JhrFzuAxBc32MSXKKtnLuMMN8lY6sDbAKiDltd/c/EA4zkO3UKfeLga9N6TEK1lBr+TpnTPPNM/NyMz0HDQV+ho78m0xZ8Ics/DtFgsX8xJb7FS5LOl8Fjeo3fpNJNSsvw/ovD9TuZwCO58Y/g/6RnQ13+m/z9Sx0ho+4RYT0bIBAPNGIwn52wkuUQqzK70gQNvkU7blDSbUSTbrFLqyNj2fxTHz4+m9zqwDPC6jwMtHrzju3iQZHx70zQHjYzJL1wr72VoWOCCL0+rF1iUE3LvJJWDlrDo9J1M/Bdw05/rpzgXMEAwaQPI+4rAFRZkXHgj6FRsx0dMVXhUH1MCu1AqyR1DM4TkZ7ePBOLXn90WovTMtqB7Qyl4AjhsrnyMbyhjZ0AU129kVFhFO6R3/wTc3yfnQ7cE17utFARhD",
  },
  {
    text: "How do I restore a file that was deleted by mistake?",
    bytes:
      "TM36yjjk+PEs7zUHVu72Ok7m3MAaG707GC20FEa4ueEUwwf1+tJI0bxFKEMHCLs27u78H+kzKuCMo8ciK87/F01HKzS/w7MeIuPtFwfF/cW2ztMRxkY8xEfLLS/p0rS+BSo25yQHRurCTSHML6/LPjdE3/issCPQJtjPz9fGKS0W6eH0J2UzXtAS4uzwHwoWMRBM4TnJFxNjGyG/1dseK9qyxxbf5QMw0cr7I8UO9jTsV1w86fP3z8+i0Qsi2+I1z8/MEg40KBAo9B8VTzHPMME5KtfJZNL4CSf5Izj6IqOwLD3I0UTrwtuf1cH0NEbC4sY5qD/h2jb7LUHEvg/efx9B3xbr7XtHAxuyxbnK0gcq7czjCz0V1kI2O1As9f875gQh1R34NyDqTvgit8D7Op4XAhgKPUg/8cD4LN8GvuC94wbCJizM0w0t+ObQGscB/BrIzDUaqybgwjnr5TJFr/wqghTjxwc5yecwHAlV7C8E4jUb3NjVEspBxw44KOVA",
  },
];

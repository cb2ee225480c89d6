/** How the status of long work is shown. */
export interface StatusDisplay {
  show(text: string): void;
  /** `last` is what work came to, where work has ended. */
  stop(last: string | undefined): void;
}

/** A cell that has several meanings, or has lost a part of its value. */
export class UnclearCell {
  /** A sentence for people, to follow the name of the field. */
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

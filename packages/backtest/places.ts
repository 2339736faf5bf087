/** Numbers for long keys. Equal keys have equal numbers in both runs, so that whole paths are compared by one number. */
export class Places {
  readonly #numbers = new Map<string, number>();

  of(key: string): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

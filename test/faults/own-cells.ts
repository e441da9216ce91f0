/** What stands in front of the cells of a results sheet. Its cells may be worked on. */

/** How many columns are ours. */
export const ownColumns = 6;

export class OwnCells {
  readonly cells: string[];

  constructor(cells: readonly string[]) {
    this.cells = [...cells];
  }

  get status(): string {
    return this.cells[0] ?? '';
  }

  get id(): string {
    return this.cells[2] ?? '';
  }

  set id(id: string) {
    this.cells[2] = id;
  }

  get problems(): string {
    return this.cells[1] ?? '';
  }

  /** The run and the place by which the row is known. */
  get key(): readonly [run: string, place: string] {
    const [run = '', place = ''] = (this.cells[5] ?? '').split('#');
    return [run, place];
  }

  get isIn(): boolean {
    return ['Created', 'Accepted', 'Already loaded', 'Changed since loaded'].includes(this.status);
  }

  get isInDoubt(): boolean {
    return this.status === 'In doubt';
  }
}

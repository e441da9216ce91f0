/** The numbers under which services, runs and sheets stand in the tables. Numbers never change, so they are looked up once. */
import type { Database, SqlValue, Statement } from '../disk/database.ts';

export class Catalogue {
  readonly #services = new Map<string, number>();
  readonly #runs = new Map<string, RunNumbers>();
  readonly #sheets = new Map<number, Map<string, number>>();
  readonly #findService: Statement;
  readonly #addService: Statement;
  readonly #findRun: Statement;
  readonly #findSheet: Statement;
  readonly #addSheet: Statement;

  constructor(db: Database) {
    this.#findService = db.prepare('SELECT number FROM services WHERE name = ?').raw();
    this.#addService = db.prepare('INSERT INTO services (name) VALUES (?) ON CONFLICT DO NOTHING');
    this.#findRun = db.prepare('SELECT number, service FROM runs WHERE id = ?').raw();
    this.#findSheet = db.prepare('SELECT number FROM sheets WHERE run = ? AND name = ?').raw();
    this.#addSheet = db.prepare('INSERT INTO sheets (run, name) VALUES (?, ?) ON CONFLICT DO NOTHING');
  }

  /** The number of a service, or `null` when nothing was ever loaded into it. */
  service(name: string): number | null {
    return remembered(this.#services, name, () => firstNumber(this.#findService, [name]));
  }

  /** The same, made when it is not there. Within a write transaction. */
  ensureService(name: string): number {
    if (this.service(name) === null) this.#addService.run([name]);
    return this.service(name) ?? missing('service', name);
  }

  run(id: string): RunNumbers | null {
    return remembered(this.#runs, id, () => {
      const found = this.#findRun.get([id]) as [number, number] | undefined;
      return found === undefined ? null : { run: found[0], service: found[1] };
    });
  }

  sheet(run: number, name: string): number | null {
    let sheets = this.#sheets.get(run);
    if (sheets === undefined) {
      sheets = new Map();
      this.#sheets.set(run, sheets);
    }
    return remembered(sheets, name, () => firstNumber(this.#findSheet, [run, name]));
  }

  /** The number of a sheet by the id of its run. */
  sheetOf(run: string, name: string): number | null {
    const numbers = this.run(run);
    return numbers === null ? null : this.sheet(numbers.run, name);
  }

  /** The number of a sheet, made when it is not there. Within a write transaction. */
  ensureSheet(run: number, name: string): number {
    if (this.sheet(run, name) === null) this.#addSheet.run([run, name]);
    return this.sheet(run, name) ?? missing('sheet', name);
  }

  /** To be called after a transaction was rolled back or entries were pruned: what it numbered is not there. */
  forget(): void {
    this.#services.clear();
    this.#runs.clear();
    this.#sheets.clear();
  }
}

export interface RunNumbers {
  readonly run: number;
  readonly service: number;
}

function remembered<Key, Value>(known: Map<Key, Value>, key: Key, find: () => Value | null): Value | null {
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = find();
  if (found !== null) known.set(key, found);
  return found;
}

function firstNumber(statement: Statement, parameters: readonly SqlValue[]): number | null {
  return (statement.get(parameters) as [number] | undefined)?.[0] ?? null;
}

function missing(what: string, name: string): never {
  throw new Error(`The ${what} ${name} was written and is not there.`);
}

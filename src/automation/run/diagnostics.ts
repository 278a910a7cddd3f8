import { Traces } from './traces.ts'

/** What administrators turn on to find out why something fails; it lasts as long as the process. */
export class Diagnostics {
  /** Errors are answered with where they happened. */
  showsStackTraces: boolean
  readonly traces = new Traces()

  constructor({ showsStackTraces }: { showsStackTraces: boolean }) {
    this.showsStackTraces = showsStackTraces
  }
}

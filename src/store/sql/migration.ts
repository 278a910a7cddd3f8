import type { Dialect } from './dialect.ts'

/** One step from a schema version to the next. Once released it never changes: what is wrong in it the next one mends. */
export interface Migration {
  readonly version: number
  statements(dialect: Dialect): readonly string[]
}

import { parseArgs } from 'node:util'

export interface Options {
  /** Numbers of files, ascending; each is a repository of its own. */
  readonly sizes: readonly number[]
  readonly engine: 'sqlite' | 'postgres'
  readonly databaseUrl: string | undefined
  /** Where filled repositories are kept for the next run. */
  readonly data: string | undefined
  readonly json: string | undefined
  /** Files that --json has written: they are shown as one table, and nothing is measured. */
  readonly markdown: readonly string[]
  /** Names of the rows to measure; all when empty. */
  readonly rows: readonly string[]
  readonly seconds: number
  readonly profile: string | undefined
}

export const usage = `Measures Quire against the barest programs that do the same work.

  npm run bench -- [options]

  --documents N         files in the repository that is measured (default 10000)
  --compare N,M         repositories of several sizes, and how much more the work costs in the largest
  --engine ENGINE       sqlite (default) or postgres
  --database-url URL    PostgreSQL server to use; without it one is started for the time of the run
  --data DIR            keep the filled repositories in DIR, and use those that are there already (sqlite)
  --json FILE           write the results as JSON
  --markdown A,B        measure nothing: print the results in these files of --json as the table of docs/benchmarks.md
  --rows A,B            only these rows
  --seconds S           length of one measurement (default 3)
  --profile DIR         write CPU profiles of the server`

/** @throws Error with a sentence about the option that is wrong. */
export function parseOptions(args: readonly string[], rowNames: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      documents: { type: 'string', default: '10000' },
      compare: { type: 'string' },
      engine: { type: 'string', default: 'sqlite' },
      'database-url': { type: 'string' },
      data: { type: 'string' },
      json: { type: 'string' },
      markdown: { type: 'string' },
      rows: { type: 'string', default: '' },
      seconds: { type: 'string', default: '3' },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return 'help'
  return {
    sizes: parseSizes(values.compare ?? values.documents),
    engine: parseEngine(values.engine),
    databaseUrl: values['database-url'],
    data: values.data,
    json: values.json,
    markdown: values.markdown?.split(',') ?? [],
    rows: parseRows(values.rows, rowNames),
    seconds: parsePositive(values.seconds, '--seconds'),
    profile: values.profile,
  }
}

// A page of 50 is read from folders of 1,000, of which every third is closed to the reader.
const smallestSize = 3_000

function parseSizes(text: string): readonly number[] {
  const sizes = text.split(',').map((size) => parsePositive(size.replaceAll('_', ''), '--documents'))
  if (sizes.some((size) => !Number.isInteger(size) || size < smallestSize)) {
    throw new Error(`A number of documents is an integer from ${smallestSize} on, not ${text}.`)
  }
  return [...new Set(sizes)].sort((left, right) => left - right)
}

function parseRows(text: string, known: readonly string[]): readonly string[] {
  const rows = text === '' ? [] : text.split(',')
  const unknown = rows.find((row) => !known.includes(row))
  if (unknown !== undefined) throw new Error(`There is no row ${unknown}; there are ${known.join(', ')}.`)
  return rows
}

function parseEngine(text: string): Options['engine'] {
  if (text === 'sqlite' || text === 'postgres') return text
  throw new Error(`--engine is sqlite or postgres, not ${text}.`)
}

function parsePositive(text: string, option: string): number {
  const number = Number(text)
  if (number > 0 && Number.isFinite(number)) return number
  throw new Error(`${option} takes a number above 0, not ${text}.`)
}

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'docs/contract')
const readAll = (patterns: string | string[], cwd: string) =>
  globSync(patterns, { cwd }).map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(join(cwd, file), 'utf8') }))

const readme = readFileSync(join(folder, 'README.md'), 'utf8')
const areas = new Map(
  readAll('*.md', folder)
    .filter(({ file }) => file !== 'README.md')
    .map(({ file, text }) => [file.replace('.md', ''), text]),
)

/** What can be cited: headings by their numbers, and what is numbered in a list or table below one. */
function sectionsOf(text: string): ReadonlySet<string> {
  const sections = new Set<string>()
  let heading = ''
  for (const line of text.split('\n')) {
    const number = /^#+ (\d+(?:\.\d+)*)\.? /.exec(line)?.[1]
    if (number !== undefined) heading = number
    const item = /^(?:\| )?(\d+)(?:\.| \|) /.exec(line)?.[1]
    if (number !== undefined) sections.add(number)
    else if (item !== undefined && heading !== '') sections.add(`${heading}.${item}`)
  }
  return sections
}

const sections = new Map([...areas].map(([area, text]) => [area, sectionsOf(text)]))
const sources = readAll(['{src,test,bench,examples}/**/*.ts', 'docs/*.md', 'docs/operating/*.md', '*.md'], root)

const names = [...areas.keys()].join('|')
const list = String.raw`\d+(?:\.\d+)*(?:(?:, | and | to )\d+(?:\.\d+)*(?!\.?\w| [a-z]))*`
// The names of areas are usual words: a number behind one is a citation only where nothing else can be meant.
const citation = new RegExp(
  String.raw`(?:\(|contract: |contract/|[,;] |\b(?:of|in) )(${names})(?:\.md)? ?§?(${list})(?=[).,;:\s]|$)`,
  'gm',
)

interface Cited {
  readonly file: string
  readonly area: string
  readonly section: string
}

function citedWithArea(): readonly Cited[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(citation)].flatMap(([, area = '', cited = '']) =>
      cited.split(/, | and | to /).map((section) => ({ file, area, section })),
    ),
  )
}

/** The areas that tests in a folder are about: what they are called by begins with the section alone. */
const areasOfTests: readonly [folder: RegExp, areas: readonly string[]][] = [
  [/^test\/automation\//, ['operations']],
  [/^test\/files\//, ['blobs', 'security']],
  [/^test\/people\//, ['people', 'adapters', 'security']],
  [/^test\/(rules|api)\//, ['core-model', 'documents', 'adapters', 'security']],
  [/^(test|src\/core|src\/store\/sql|src\/features)\/search\/|^src\/nxql\//, ['search']],
]

const numbered = /\b(?:test|describe|matches|onEachEngine)\(\s*[`'"](\d+(?:\.\d+)*(?:, \d+(?:\.\d+)*)*) [\p{L}$`]/gu

function citedByTests(): readonly (Omit<Cited, 'area'> & { readonly among: readonly string[] })[] {
  return sources.flatMap(({ file, text }) => {
    const among = areasOfTests.find(([of]) => of.test(file))?.[1]
    if (among === undefined || !file.endsWith('.test.ts')) return []
    // Those of the worked queries are named after the rows of their table.
    const table = file.includes('/worked-queries') ? '13.' : ''
    return [...text.matchAll(numbered)].flatMap(([, cited = '']) =>
      cited.split(', ').map((section) => ({ file, section: `${table}${section}`, among })),
    )
  })
}

describe('the contract', () => {
  test('has every section that code, tests and documents cite with its area', () => {
    const cited = citedWithArea()
    assert.ok(cited.length > 50, `only ${cited.length} found`)
    assert.deepEqual(
      cited.filter(({ area, section }) => !sections.get(area)?.has(section)),
      [],
    )
  })

  test('has every section that tests are named after', () => {
    const cited = citedByTests()
    assert.ok(cited.length > 500, `only ${cited.length} found`)
    assert.deepEqual(
      cited.filter(({ among, section }) => !among.some((area) => sections.get(area)?.has(section))),
      [],
    )
  })

  test('has every section that its own areas cite', () => {
    const wrong = [...areas].flatMap(([file, text]) =>
      [...text.matchAll(new RegExp(String.raw`\b(${names}) (\d+(?:\.\d+)*)\b(?! (?:results|characters|entries))`, 'g'))]
        .map(([, area = '', section = '']) => ({ file, area, section }))
        .filter(({ area, section }) => !sections.get(area)?.has(section)),
    )
    assert.deepEqual(wrong, [])
  })

  test('is listed area by area, and says of none that it is built when all of it is planned', () => {
    for (const [area, text] of areas) {
      const row = readme.split('\n').find((line) => line.startsWith(`| [${area}.md](${area}.md) `))
      assert.ok(row, area)
      assert.equal(row.endsWith('| planned |'), /^# .*\(planned\)$/m.test(text), area)
    }
  })

  test('numbers each section once', () => {
    for (const [area, text] of areas) {
      const headings = [...text.matchAll(/^#+ (\d+(?:\.\d+)*)\.? /gm)].map(([, number]) => number)
      assert.equal(new Set(headings).size, headings.length, area)
    }
  })

  test('names properties that are settings, or says which are none or planned', () => {
    const part = (areas.get('security') ?? '').split(/^## /m).find((section) => section.startsWith('13. ')) ?? ''
    const rows = part.split('\n').filter((line) => /^\| (?:\w+\.)+\w/.test(line) && !/\((?:none|planned)\) \|/.test(line))
    const properties = rows.flatMap((line) => /^\| ([\w.-]+\w)/.exec(line)?.[1] ?? [])
    assert.ok(properties.length > 25, `only ${properties.length} found`)
    const code = sources
      .flatMap(({ file, text }) => (file.startsWith('src/') && !file.endsWith('.test.ts') ? text : []))
      .join('\n')
    assert.deepEqual(
      properties.filter((property) => !code.includes(`'${property}`)),
      [],
    )
  })

  test('lists the operations there are, and says of others that they are planned', () => {
    const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
    const built = [...page.matchAll(/^\| `([\w.]+)`/gm)].map(([, id = '']) => id)
    assert.ok(built.length > 150, `only ${built.length} found`)
    const text = areas.get('operations') ?? ''
    const promised = text
      .split(/^### /m)
      .filter((section) => section.startsWith('2.') && !/^.*\(planned\)$/m.test(section.split('\n', 1)[0] ?? ''))
      .flatMap((section) => [...section.matchAll(/^\| *[★A-Z]* *\| `([\w.]+)` \|/gm)].map(([, id = '']) => id))
    assert.deepEqual(
      { absent: promised.filter((id) => !built.includes(id)), unknown: built.filter((id) => !text.includes(`\`${id}\``)) },
      { absent: [], unknown: [] },
    )
  })

  test('writes identifiers with the neutral word, and speaks of the project alone', () => {
    for (const [area, text] of [...areas, ['README', readme] as const]) {
      assert.doesNotMatch(text, /nux[e]o|\bseed\b|\[ref\b|\/work\/|\bspec\//i, area)
    }
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { workedDataOn, workedPlugin } from './worked-data.ts'

const live = 'ecm:isVersion = 0'
const everyLive = 'alpha beta f1 f2 f4 gamma n3'

type Expectation = readonly [number: number, query: string, names: string]

const types: readonly Expectation[] = [
  [1, 'File', 'f1 f2 f4'],
  [2, 'Document', `${everyLive} n3v`],
  [3, `document WHERE ${live}`, everyLive],
  [4, 'Note', 'n3 n3v'],
  [5, `Note, Folder WHERE ${live}`, 'alpha beta gamma n3'],
  [46, "Document WHERE ecm:primaryType = 'nosuch'", ''],
  [47, "Folder WHERE ecm:primaryType = 'Note'", ''],
  [48, "Document WHERE ecm:mixinType = 'Folderish'", 'alpha beta gamma'],
  [49, `Document WHERE ecm:mixinType NOT IN ('Folderish','Downloadable') AND ${live}`, 'n3'],
  [50, `Document WHERE ecm:mixinType = 'Versionable' AND ecm:mixinType <> 'Downloadable' AND ${live}`, 'n3'],
  [66, 'Document WHERE 1 = 0', ''],
  [66, 'Document WHERE 0 = 0', `${everyLive} n3v`],
]

const values: readonly Expectation[] = [
  [6, "File WHERE NOT dc:title = 'First report'", 'f2 f4'],
  [7, "File WHERE NOT dc:title != 'First report'", 'f1'],
  [8, `Document WHERE dc:title NOT ILIKE 'zz%' AND ${live}`, 'alpha f1 f2 f4 n3'],
  [9, "Document WHERE dc:title ILIKE 'FIRST%'", 'f1'],
  [10, "File WHERE content/name = 'memo.txt'", 'f1'],
  [10, "File WHERE file:content/name = 'memo.txt'", 'f1'],
  [11, 'File WHERE file:content/length > 0', 'f1'],
  [12, "Document WHERE uid = 'u-1'", 'f1'],
  [12, "Document WHERE uid:uid = 'u-1'", 'f1'],
  [44, 'Document WHERE my:boolean = 1', ''],
  [44, 'Document WHERE my:boolean = 0', ''],
  [45, `Document WHERE dc:title IS NULL AND ${live}`, 'beta gamma'],
  [62, "File WHERE dc:title LIKE 'First'", ''],
  [63, "File WHERE dc:title LIKE 'F%t'", 'f1'],
]

const lists: readonly Expectation[] = [
  [13, `Document WHERE dc:contributors = 'bob' AND ${live}`, 'f2 n3'],
  [14, `Document WHERE dc:contributors IN ('pete','zed') AND ${live}`, 'f2'],
  [15, `Document WHERE dc:contributors NOT IN ('bob','pete') AND ${live}`, 'alpha beta f1 f4 gamma'],
  [16, `Document WHERE dc:contributors/* NOT IN ('bob','pete') AND ${live}`, 'n3'],
  [17, `Document WHERE dc:contributors <> 'pete' AND ${live}`, 'alpha beta f1 f4 gamma n3'],
  [18, `Document WHERE dc:contributors <> 'nobody' AND ${live}`, everyLive],
  [19, `Document WHERE dc:contributors/* NOT LIKE '%o%' AND ${live}`, 'f2'],
  [20, "File WHERE dc:subjects NOT LIKE '%oo%'", 'f2 f4'],
  [21, "File WHERE dc:subjects/* NOT LIKE '%oo%'", ''],
  [22, `Document WHERE dc:subjects/* IS NULL AND ${live}`, 'alpha beta f2 f4 gamma n3'],
]

const places: readonly Expectation[] = [
  [23, "Document WHERE dc:coverage STARTSWITH 'foo'", 'f2'],
  [24, "Document WHERE dc:coverage STARTSWITH 'foo/bar/baz'", ''],
  [25, "Document WHERE dc:subjects STARTSWITH 'gee'", 'f1'],
  [26, "Document WHERE ecm:path STARTSWITH '/'", everyLive],
  [27, "Document WHERE ecm:path STARTSWITH '/alpha/'", 'f1 f2 n3'],
  [28, "Document WHERE ecm:path STARTSWITH '/nothere'", ''],
  [29, "Document WHERE ecm:path = '/alpha/'", 'alpha'],
  [30, `Document WHERE ecm:path <> '/alpha' AND ${live}`, 'beta f1 f2 f4 gamma n3'],
  [31, "Document WHERE ecm:ancestorId = '<root>'", everyLive],
  [32, `Document WHERE ecm:ancestorId <> '<alpha>' AND ${live}`, 'alpha beta f4 gamma'],
]

const dates: readonly Expectation[] = [
  [35, "File WHERE dc:created >= DATE '2007-03-15'", 'f2'],
  [36, "File WHERE dc:created BETWEEN DATE '2007-01-01' AND DATE '2008-01-01'", 'f1 f2'],
  [37, "File WHERE dc:created NOT BETWEEN DATE '2007-03-15' AND DATE '2008-01-01'", 'f1'],
  [38, "File WHERE DATE(dc:created) = DATE '2007-03-01'", 'f1'],
  [39, "File WHERE dc:created = DATE '2007-03-01'", ''],
  [42, "Folder WHERE dc:modified > NOW('-PT1H')", 'alpha beta gamma'],
  [43, "Folder WHERE dc:modified < NOW('P1D') AND dc:modified > NOW('-P1D')", 'alpha beta gamma'],
]

const words: readonly Expectation[] = [
  [70, "File WHERE ecm:fulltext = 'restaurant'", 'f1'],
  [71, "File WHERE ecm:fulltext = 'CAFE'", 'f1'],
  [72, "File WHERE ecm:fulltext = 'report'", 'f1 f2'],
  [73, "File WHERE ecm:fulltext = 'report -second'", 'f1'],
  [74, "File WHERE ecm:fulltext = 'pete OR restaurant zebra'", 'f2'],
  [75, "File WHERE ecm:fulltext = 'rest*'", 'f1'],
  [76, `File WHERE ecm:fulltext = '"first report"'`, 'f1'],
  [76, `File WHERE ecm:fulltext = '"report first"'`, ''],
  [77, "File WHERE ecm:fulltext = '-second'", ''],
  [79, "File WHERE ecm:fulltext.dc:title = 'FIRST report'", 'f1'],
  [79, "File WHERE ecm:fulltext.dc:title = 'FIRST rep*'", 'f1'],
]

const mistakes: readonly (readonly [number: number, query: string, reason: string])[] = [
  [33, "SELECT * FROM Document WHERE ecm:ancestorId IN ('x')", 'ecm:ancestorId requires = or <> operator'],
  [
    40,
    "SELECT * FROM File WHERE DATE(dc:created) = TIMESTAMP '2007-03-01 00:00:00'",
    "DATE() cast must be used with DATE literal, not TIMESTAMP: TIMESTAMP '2007-03-01 00:00:00'",
  ],
  [41, "SELECT * FROM File WHERE DATE(dc:title) = DATE '2007-03-01'", 'Cannot cast to DATE: dc:title'],
  [78, "SELECT * FROM File WHERE ecm:fulltext = 'OR first'", 'Invalid fulltext query (standalone OR): OR first'],
  [80, 'SELECT ecm:fulltextScore FROM File', 'ecm:fulltextScore cannot be used without ecm:fulltext'],
  [99, 'SELECT COUNT(*) FROM File', 'Syntax error: Invalid token <*> at offset 13'],
  [100, 'SELECT * FROM Document WHERE owner = 1', 'No such property: owner'],
  [101, 'SELECT * FROM NoSuchType', 'Unknown type: NoSuchType'],
  [102, 'SELECT * FROM Document WHERE dc:title = :x', 'Lexical Error: Illegal character <:> at offset 40'],
]

onEachServer(
  'a query over the documents of the specification',
  (server) => {
    const data = workedDataOn(server)
    before(() => data.fill())

    const finds = (rows: readonly Expectation[]) => {
      for (const [number, query, names] of rows) {
        test(`${number} ${query} finds ${names || 'nothing'}`, async () => {
          const found = await data.find(`SELECT * FROM ${query}`)
          assert.equal([...found].sort().join(' '), names)
        })
      }
    }

    describe('by type', () => finds(types))
    describe('by value', () => finds(values))
    describe('by a list', () => finds(lists))
    describe('by place', () => finds(places))
    describe('by date', () => finds(dates))
    describe('by words', () => finds(words))

    describe('with a mistake', () => {
      for (const [number, query, reason] of mistakes) {
        test(`${number} ${query} is refused`, async () =>
          assert.equal(await data.refusal(query), `Failed to execute query: ${query}, ${reason}`))
      }
    })

    describe('in an order', () => {
      const ordered: readonly Expectation[] = [
        [67, `Document WHERE ${live} ORDER BY ecm:path`, 'alpha f1 f2 n3 beta gamma f4'],
        [67, `Document WHERE ${live} ORDER BY ecm:path DESC`, 'f4 gamma beta n3 f2 f1 alpha'],
        [68, 'File WHERE dc:coverage IS NOT NULL ORDER BY dc:coverage, dc:title', 'f2 f1'],
        [68, `Document WHERE ${live} ORDER BY dc:title`, 'beta gamma alpha f1 f4 f2 n3'],
        [2, 'Document', 'alpha beta f1 f2 n3 n3v gamma f4'],
      ]
      for (const [number, query, names] of ordered) {
        test(`${number} ${query} finds ${names}`, async () =>
          assert.equal((await data.find(`SELECT * FROM ${query}`)).join(' '), names))
      }
    })

    describe('as a record set', () => {
      test('95 a wildcard at the end makes a row of each item', async () => {
        const rows = await data.rows("SELECT dc:subjects/* FROM File WHERE ecm:name = 'f1'")
        assert.deepEqual(rows.map((row) => row['dc:subjects/*']).sort(), ['foo', 'gee/moo'])
      })

      test('98 a total is one row under the name of its function', async () =>
        assert.deepEqual(await data.rows('SELECT COUNT(dc:title) FROM File'), [{ 'COUNT(dc:title)': 3 }]))
    })
  },
  { plugins: [workedPlugin] },
)

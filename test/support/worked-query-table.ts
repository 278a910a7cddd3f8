/** A query of the contract, its SELECT left out, and the names of what it finds. `<f1>` in it is the id of f1. */
export type Expectation = readonly [number: number, query: string, names: string]

/** A whole query, and what is wrong with it. */
export type Refusal = readonly [number: number, query: string, reason: string]

export const live = 'ecm:isVersion = 0'
const everyLive = 'alpha beta f1 f2 f4 gamma n3'

export const types: readonly Expectation[] = [
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

export const values: readonly Expectation[] = [
  [6, "File WHERE NOT dc:title = 'First report'", 'f2 f4'],
  [7, "File WHERE NOT dc:title != 'First report'", 'f1'],
  [8, `Document WHERE dc:title NOT ILIKE 'zz%' AND ${live}`, 'alpha f1 f2 f4 n3'],
  [9, "Document WHERE dc:title ILIKE 'FIRST%'", 'f1'],
  [10, "File WHERE content/name = 'memo.txt'", 'f1'],
  [10, "File WHERE file:content/name = 'memo.txt'", 'f1'],
  [11, 'File WHERE file:content/length > 0', 'f1'],
  [12, "Document WHERE uid = 'u-1'", 'f1'],
  [12, "Document WHERE uid:uid = 'u-1'", 'f1'],
  [45, `Document WHERE dc:title IS NULL AND ${live}`, 'beta gamma'],
  [62, "File WHERE dc:title LIKE 'First'", ''],
  [63, "File WHERE dc:title LIKE 'F%t'", 'f1'],
]

/** About a field that no document sets. */
export const unset: readonly Expectation[] = [
  [44, 'Document WHERE my:boolean = 1', ''],
  [44, 'Document WHERE my:boolean = 0', ''],
]

export const lists: readonly Expectation[] = [
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
  [22, `Document WHERE dc:subjects IS NULL AND ${live}`, 'alpha beta f2 f4 gamma n3'],
  [22, 'Document WHERE dc:subjects IS NOT NULL', 'f1'],
]

export const places: readonly Expectation[] = [
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

export const dates: readonly Expectation[] = [
  [35, "File WHERE dc:created >= DATE '2007-03-15'", 'f2'],
  [36, "File WHERE dc:created BETWEEN DATE '2007-01-01' AND DATE '2008-01-01'", 'f1 f2'],
  [37, "File WHERE dc:created NOT BETWEEN DATE '2007-03-15' AND DATE '2008-01-01'", 'f1'],
  [38, "File WHERE DATE(dc:created) = DATE '2007-03-01'", 'f1'],
  [39, "File WHERE dc:created = DATE '2007-03-01'", ''],
]

export const words: readonly Expectation[] = [
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

export const mistakes: readonly Refusal[] = [
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

/** With beta inside alpha. */
export const moved: readonly Expectation[] = [[34, "Document WHERE ecm:path STARTSWITH '/alpha'", 'beta f1 f2 f4 gamma n3']]

/** With f4 published into alpha as p, its version being f4v. */
export const published: readonly Expectation[] = [
  [51, "Document WHERE dc:title = 'Fourth'", 'f4 f4v p'],
  [52, 'Document WHERE ecm:isProxy = 1', 'p'],
  [52, 'Document WHERE ecm:isProxy <> 0', 'p'],
  [53, `Document WHERE ecm:isProxy = 0 AND ${live}`, everyLive],
  [54, `Document WHERE ${live}`, `${everyLive} p`],
  [55, 'Document WHERE ecm:isLatestVersion = 1', 'f4v n3v p'],
  [56, "Document WHERE ecm:versionLabel = '0.1'", 'f4v n3v p'],
  [57, 'Document WHERE ecm:isCheckedIn = 1', 'f4 n3'],
  [58, "Document WHERE ecm:versionVersionableId = '<f4>'", 'f4v p'],
  [59, "Document WHERE ecm:proxyTargetId = '<f4v>'", 'p'],
  [59, "Document WHERE ecm:proxyVersionableId = '<f4>'", 'p'],
]

/** With a lock on f1. */
export const locked: readonly Expectation[] = [[60, 'Document WHERE ecm:lockOwner IS NOT NULL', 'f1']]

/** With f1 in the trash. */
export const trashed: readonly Expectation[] = [
  [61, 'Document WHERE ecm:isTrashed = 1', 'f1'],
  [61, 'Document WHERE ecm:isTrashed = 0', 'alpha beta f2 f4 gamma n3 n3v'],
]

/** With the titles `fo%`, `foo` and `fo\` on the files k1, k2 and k3. */
export const patterns: readonly Expectation[] = [
  [64, String.raw`File WHERE dc:title LIKE 'fo\%'`, 'k1'],
  [65, String.raw`File WHERE dc:title LIKE 'fo\\\\'`, 'k3'],
]

/** With Browse for bob and Read for steve on alpha. */
export const rights: readonly Expectation[] = [
  [81, "Document WHERE ecm:acl/*/principal = 'bob' AND ecm:acl/*/permission = 'Read'", 'alpha'],
  [82, "Document WHERE ecm:acl/*1/principal = 'bob' AND ecm:acl/*1/permission = 'Read'", ''],
  [83, "Document WHERE ecm:acl/*1/name = 'local' AND ecm:acl/*1/principal = 'bob' AND ecm:acl/*1/grant = 1", 'alpha'],
]

/** With the tags red and big on f1, and red on f2. */
export const tags: readonly Expectation[] = [
  [84, "Document WHERE ecm:tag = 'red'", 'f1 f2'],
  [85, "Document WHERE ecm:tag = 'red' AND ecm:tag = 'big'", ''],
  [86, "Document WHERE ecm:tag/* = 'red' AND ecm:tag/* = 'big'", 'f1'],
  [87, "Document WHERE ecm:tag/*1 = 'red' AND ecm:tag/*2 = 'big'", 'f1'],
  [88, "Document WHERE ecm:tag IN ('red','big')", 'f1 f2'],
  [89, 'File WHERE ecm:tag IS NULL', 'f4'],
]

const either = (member: string, name: string) => `(p:people/*1/${member} = '${name}' OR p:people/*1/${member} = 'X')`

/** With John Doe and Ann Ray on the Specimen s, titled T. */
export const people: readonly Expectation[] = [
  [90, "Document WHERE p:people/*1/first = 'John' AND p:people/*1/last = 'Ray'", ''],
  [91, "Document WHERE p:people/*/first = 'John' AND p:people/*/last = 'Ray'", 's'],
  [92, "Document WHERE p:people/0/last = 'Doe'", 's'],
  [92, "Document WHERE p:people/item[0]/last = 'Doe'", 's'],
  [93, `Document WHERE ${either('first', 'John')} AND dc:title = 'T' AND ${either('last', 'Doe')}`, 's'],
  [93, `Document WHERE ${either('first', 'John')} AND dc:title = 'U' AND ${either('last', 'Doe')}`, ''],
]

/** With f1 a record under legal hold, retained until 2100. */
export const retention: readonly Expectation[] = [
  [103, 'Document WHERE ecm:isRecord = 1', 'f1'],
  [103, 'File WHERE ecm:hasLegalHold = 0', 'f2 f4'],
  [103, "Document WHERE ecm:retainUntil > TIMESTAMP '2099-01-01 00:00:00'", 'f1'],
]

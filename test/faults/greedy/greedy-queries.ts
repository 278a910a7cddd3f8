import { type GreedyRequest, get, operate, repeated, search } from './greedy-request.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

// Long notes are refused before anything is made of them.
const butLongNotes = `/search/execute?query=${encodeURIComponent("SELECT * FROM Document WHERE ecm:parentId <> '")}<heavy>%27`

const from = 'SELECT * FROM Document WHERE'

/** Queries that are long, deep, wide, or that match in many ways. */
export const greedyQueries: readonly GreedyRequest[] = [
  search('sixty thousand words to find', () => `${from} ecm:fulltext = '${repeated(60_000, (index) => `word${index}`, ' ')}'`),
  search(
    'sixty thousand words of which one is enough',
    () => `${from} ecm:fulltext = '${repeated(60_000, (index) => `w${index}`, ' OR ')}'`,
  ),
  search(
    'thirty thousand words that end in anything',
    () => `${from} ecm:fulltext = '${repeated(30_000, (index) => `w${index}*`, ' ')}'`,
  ),
  search('a phrase of sixty thousand words', () => `${from} ecm:fulltext = '"${repeated(60_000, () => 'a', ' ')}"'`),
  search('a word of four hundred thousand letters', () => `${from} ecm:fulltext = '${'a'.repeat(400_000)}'`),
  search('twenty thousand alternatives', () => `${from} ${repeated(20_000, (index) => `dc:title = '${index}'`, ' OR ')}`),
  search('twenty thousand conditions', () => `${from} ${repeated(20_000, (index) => `dc:title <> '${index}'`, ' AND ')}`),
  search('two hundred thousand values in a list', () => `${from} dc:title IN (${repeated(200_000, (index) => `'${index}'`)})`),
  search('a hundred thousand brackets', () => `${from} ${'('.repeat(100_000)}dc:title = 'a'${')'.repeat(100_000)}`),
  search('a hundred thousand negations', () => `${from} ${'NOT '.repeat(100_000)}dc:title = 'a'`),
  search('ten thousand columns of an order', () => `${from} ecm:isTrashed = 0 ORDER BY ${repeated(10_000, () => 'dc:title')}`),
  operate('ten thousand selected columns', 'Repository.ResultSetQuery', () => ({
    params: { query: `SELECT ${repeated(10_000, () => 'dc:title')} FROM Document` },
  })),
  search('ten thousand types', () => `SELECT * FROM ${repeated(10_000, () => 'File')}`),
  search('a pattern of a hundred thousand wildcards', () => `${from} dc:title LIKE '${'%a'.repeat(100_000)}'`),
  search('a pattern of ten wildcards over long texts', () => `${from} note:note LIKE '${'%a'.repeat(10)}%z'`),
  search('a literal of a million characters', () => `${from} dc:title = '${'x'.repeat(1_000_000)}'`),
  search('a number of a million digits', () => `${from} ecm:pos = ${'9'.repeat(1_000_000)}`),
  search('two hundred conditions about items of lists', () => `${from} ${repeated(200, () => `dc:subjects/* = 'x'`, ' OR ')}`),
  search(
    'two hundred conditions about items of one name each',
    () => `${from} ${repeated(60, (index) => `files:files/*${index}/file/name LIKE '%x%'`, ' AND ')}`,
  ),
  search('a hundred conditions about words', () => `${from} ${repeated(100, () => `ecm:fulltext = 'a*'`, ' OR ')}`),
  search('a path of a million parts', () => `${from} ecm:path STARTSWITH '${'/a'.repeat(500_000)}'`),
  operate('a hundred thousand parameters of a query', 'Repository.Query', () => ({
    params: { query: `${from} dc:title = ?`, queryParams: numbers(100_000) },
  })),
  operate('a hundred thousand columns to sort by', 'Repository.Query', () => ({
    params: { query: `${from} dc:title = 'a'`, sortBy: Array.from({ length: 100_000 }, () => 'dc:title') },
  })),
  operate('a hundred thousand values of a property', 'Document.FetchByProperty', () => ({
    params: { property: 'dc:title', values: numbers(100_000) },
  })),
  get('a page as large as can be, of pages as large as can be', `${butLongNotes}&pageSize=1000000`, {
    properties: '*',
    'enrichers-document': 'children,breadcrumb,acls,permissions,thumbnail,preview',
  }),
  get('everything about everything, as deep as can be', `${butLongNotes}&pageSize=1000`, {
    properties: '*',
    'enrichers-document': 'children,breadcrumb,acls,permissions,contextualParameters,subtypes,firstAccessibleAncestor',
    'fetch-document': 'properties,versionLabel,lock',
    depth: 'max',
  }),
  get(
    'a page of long notes',
    `/search/execute?query=${encodeURIComponent("SELECT * FROM Note WHERE ecm:parentId = '")}<heavy>%27&pageSize=1000`,
  ),
  get('as many long notes as are given', '/id/<heavy>/@children?pageSize=20'),
  get('a page of long notes and all that is in them', '/id/<heavy>/@children?pageSize=1000', { properties: '*' }),
  get('a folder with its long notes beside it', '/id/<heavy>', { 'enrichers-document': 'children' }),
  operate('long notes by their folder', 'Document.FetchByProperty', () => ({
    params: { property: 'ecm:parentId', values: ['<heavy>'] },
  })),
  get('seven hundred adapters', `/id/<home>${'/@children'.repeat(700)}`),
  get('ten thousand enrichers', '/id/<home>', { 'enrichers-document': repeated(1_500, () => 'children') }),
  get('two thousand parameters in the address', `/id/<home>?${repeated(1_500, (index) => `p${index}=1`, '&')}`),
  get('four thousand parts of an address', `/path${'/a'.repeat(4_000)}`),
  get('four thousand parts of a file', '/id/<file>/@blob/file:content', {
    range: `bytes=${repeated(1_500, (index) => `${index}-`)}`,
  }),
]

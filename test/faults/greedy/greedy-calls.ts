import { type GreedyRequest, operate } from './greedy-request.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

/** A condition that doubles a list so many times; each `+` makes a new one of all items. */
function doubling(times: number): string {
  let expression = '[1,1,1,1,1,1,1,1]'
  for (let time = 0; time < times; time++) expression = `(${expression} + ${expression})`
  return expression
}

/** Runs an operation for each item of the list `items`, for each item again, and so on. */
function onListsInLists(depth: number, innermost: object): object {
  if (depth === 0) return innermost
  return {
    id: 'RunOperationOnList',
    list: 'items',
    timeout: 3_600,
    isolate: false,
    parameters: onListsInLists(depth - 1, innermost),
  }
}

/** Calls that are small and multiply what they do. */
export const greedyCalls: readonly GreedyRequest[] = [
  operate('a condition that doubles a list', 'Document.Filter', () => ({
    input: 'doc:<home>',
    params: { condition: `${doubling(7)} == 1` },
  })),
  operate('a condition that doubles a text', 'Document.Filter', () => ({
    input: 'doc:<home>',
    params: { condition: `("x".concat("x"))${'.concat(Document.id)'.repeat(1_000)} == "x"` },
  })),
  operate('a condition that replaces a letter by many, over and over', 'Document.Filter', () => ({
    input: 'doc:<home>',
    params: { condition: `"a"${'.replace("a", "aaaaaaaaaaaaaaaa")'.repeat(12)} == "x"` },
  })),
  operate('a condition that compares lists in lists', 'Document.Filter', () => ({
    input: 'doc:<home>',
    params: { condition: `${'['.repeat(200)}1${']'.repeat(200)} == ${'['.repeat(200)}1${']'.repeat(200)}` },
  })),
  operate('a condition of a hundred thousand brackets', 'Document.Filter', () => ({
    input: 'doc:<home>',
    params: { condition: `${'('.repeat(100_000)}1${')'.repeat(100_000)} == 1` },
  })),
  operate('a condition of two million characters', 'Document.Filter', () => ({
    input: 'doc:<home>',
    params: { condition: `${'1 + '.repeat(500_000)}1 == 1` },
  })),
  operate('four lists in each other, for an hour', 'RunOperationOnList', () => ({
    context: { items: numbers(50) },
    params: onListsInLists(4, { id: 'Context.SetVar', parameters: { name: 'x', value: 'y' } }),
  })),
  operate('a list of two hundred thousand items, each with an operation', 'RunOperationOnList', () => ({
    context: { items: numbers(200_000) },
    params: { id: 'Context.SetVar', list: 'items', timeout: 3_600, parameters: { name: 'x', value: 'y' } },
  })),
  operate('an operation in an operation, a thousand deep', 'RunOperation', () => {
    let params: object = { id: 'Context.SetVar', parameters: { name: 'x', value: 'y' } }
    for (let depth = 0; depth < 1_000; depth++) params = { id: 'RunOperation', parameters: params }
    return { params }
  }),
  operate('twelve hundred documents of one name', 'RunOperationOnList', () => ({
    input: 'doc:<home>',
    context: { items: numbers(1_200) },
    params: { id: 'Document.Create', list: 'items', timeout: 3_600, parameters: { type: 'Folder', name: 'same' } },
  })),
  operate('one large file two hundred times in an archive', 'Blob.BulkDownload', () => ({
    input: `docs:${Array.from({ length: 200 }, () => '<file>').join(',')}`,
    params: { filename: 'large.zip' },
  })),
  operate('one folder ten thousand times', 'Document.GetChildren', () => ({
    input: `docs:${Array.from({ length: 10_000 }, () => '<home>').join(',')}`,
    params: {},
  })),
  operate('a folder of long notes ten thousand times', 'Document.GetChildren', () => ({
    input: `docs:${Array.from({ length: 10_000 }, () => '<heavy>').join(',')}`,
    params: {},
  })),
  operate('long notes once more for each of a list', 'RunOperationOnList', () => ({
    input: 'doc:<heavy>',
    context: { items: numbers(1_000) },
    params: { id: 'Document.GetChildren', list: 'items', timeout: 3_600, isolate: false },
  })),
  operate('five thousand described files', 'Document.Update', () => ({
    input: '<file>',
    params: { properties: { 'files:files': numbers(5_000).map((data) => ({ file: { data, name: data } })) } },
  })),
  operate('three hundred copies of a folder of many', 'RunOperationOnList', () => ({
    input: 'doc:<home>',
    context: { items: numbers(300) },
    params: { id: 'Document.Copy', list: 'items', timeout: 3_600, parameters: { target: '<home>', name: 'again' } },
  })),
  operate('a log line of ten million characters', 'Log', () => ({ params: { level: 'debug', message: 'x'.repeat(10_000_000) } })),
  operate('a million variables', 'Context.SetVar', () => ({
    context: Object.fromEntries(numbers(500_000).map((name) => [name, name])),
    params: { name: 'x', value: 'y' },
  })),
]

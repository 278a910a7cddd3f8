import type { Random } from '../../faults/kill/random.ts'

/** As the registry describes it. */
export interface DescribedOperation {
  readonly id: string
  readonly params: readonly { readonly name: string; readonly type: string; readonly values: readonly string[] }[]
}

/** What requests can speak of. */
export interface FuzzedStage {
  readonly paths: readonly string[]
  readonly ids: readonly string[]
  /** A folder to which files may be exported. */
  readonly folder: string
}

export interface FuzzedRequest {
  readonly user: string
  /** Below the API. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

const users = ['Administrator', 'anna', 'ben']

// Words that mean something somewhere: types, permissions, properties, states, directories, names of users and operations.
const words = [
  ...['File', 'Folder', 'Note', 'Workspace', 'Section', 'Read', 'ReadWrite', 'Everything', 'Write', 'Nonsense'],
  ...[
    'dc:title',
    'dc:subjects',
    'dc:created',
    'file:content',
    'files:files',
    'files:files/0/file',
    'note:note',
    'nix:nix',
    'dublincore',
  ],
  ...[
    'approve',
    'obsolete',
    'delete',
    'undelete',
    'minor',
    'major',
    'local',
    'HiddenInNavigation',
    'subtopic',
    'continent',
    'country',
  ],
  ...[
    'anna',
    'ben',
    'members',
    'fuzzed',
    'Log',
    'Document.Update',
    'Repository.GetDocument',
    'trash',
    'setProperties',
    'automation',
  ],
  ...['NXQL', 'SELECT * FROM Document', "SELECT dc:title, ecm:uuid FROM File WHERE dc:title = ':x'", 'SELECT', 'default_search'],
  ...[
    '',
    ' ',
    'x',
    'a,b\\,c',
    'a=b\nc=d',
    'no equals sign',
    '{"a":1}',
    '[1,2',
    '[{"file":null}]',
    'expr:1+1',
    '@{1}',
    "'; DROP TABLE",
  ],
  ...[
    '/',
    '/../..',
    '..',
    './x',
    'default:',
    'docs:',
    'doc:',
    '\u0000',
    '\ud800',
    '💥',
    'x'.repeat(5_000),
    '-1',
    '1e400',
    'true',
  ],
]

const integers = [0, 1, -1, 2, 1_000, 2 ** 31, -(2 ** 40), 1.5, 1e21]
const dates = ['2031-01-31T10:20:30.000Z', '2031-01-31', 'yesterday', '', '0000-00-00', '9999-12-31T23:59:59+18:00']

/** A request that somebody might send by mistake or by malice, or that is quite right. */
export function randomRequest(random: Random, operations: readonly DescribedOperation[], stage: FuzzedStage): FuzzedRequest {
  const operation = random.pick(operations) as DescribedOperation
  const params = Object.fromEntries(operation.params.flatMap((param) => randomParam(random, param, stage)))
  const input = randomInput(random, stage)
  const request = {
    params,
    ...(input !== undefined && { input }),
    ...(chance(random, 0.3) && { context: randomContext(random, stage) }),
  }
  const user = random.pick(users) as string
  const path = `${randomAddress(random, stage)}/${encodeURIComponent(operation.id)}`
  return chance(random, 0.15) ? withFiles(random, { user, path, request }) : asJson({ user, path, request })
}

interface Unsent {
  readonly user: string
  readonly path: string
  readonly request: object
}

function asJson({ user, path, request }: Unsent): FuzzedRequest {
  return { user, path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) }
}

function withFiles(random: Random, { user, path, request }: Unsent): FuzzedRequest {
  const boundary = 'fuzzed-boundary'
  const files = Array.from({ length: random.between(0, 3) }, (_, index) => [
    `--${boundary}`,
    `Content-Disposition: form-data; name="input#${index}"; filename="${random.pick(['a.txt', 'ä 💥.pdf', '../x', '']) ?? ''}"`,
    `Content-Type: ${random.pick(['text/plain', 'application/pdf', 'nonsense']) ?? ''}`,
    '',
    `bytes ${random.between(0, 1_000_000)}`,
  ])
  const json = [
    `--${boundary}`,
    'Content-Disposition: form-data; name="params"',
    'Content-Type: application/json',
    '',
    JSON.stringify(request),
  ]
  const body = [...json, ...files.flat(), `--${boundary}--`, ''].join('\r\n')
  return { user, path, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body }
}

function randomAddress(random: Random, stage: FuzzedStage): string {
  const form = random.next()
  if (form < 0.7) return '/automation'
  if (form < 0.75) return '/@op'
  return form < 0.95 ? `/id/${random.pick(stage.ids)}/@op` : `/id/${random.pick(stage.ids)}/@children/@op`
}

function randomInput(random: Random, stage: FuzzedStage): unknown {
  const path = () => random.pick(stage.paths) as string
  const id = () => random.pick(stage.ids) as string
  const forms: readonly (() => unknown)[] = [
    () => undefined,
    () => path(),
    () => id(),
    () => `doc:${path()}`,
    () => `docs:${path()},${id()}`,
    () => [path(), id()],
    () => ({ 'entity-type': 'document', uid: id(), properties: { 'dc:title': randomText(random, stage) } }),
    () => ({ 'entity-type': 'document', type: random.pick(words), name: 'x', properties: {} }),
    () => ({ 'entity-type': 'user', id: 'fuzzed', properties: { username: 'fuzzed', email: 'f@example.org' } }),
    () => randomJson(random, stage, 3),
    () => randomText(random, stage),
  ]
  return random.pick(forms)?.()
}

function randomContext(random: Random, stage: FuzzedStage): object {
  return { currentDocument: random.pick(stage.paths), item: randomJson(random, stage, 2), list: [random.pick(stage.ids)] }
}

// What would end the test rather than the server: nobody waits a minute, and no file is written outside the folder.
const heldBack: { readonly [name: string]: (random: Random, stage: FuzzedStage) => unknown } = {
  directory: (random, { folder }) => random.pick([folder, '/nowhere/at/all', '']),
  timeoutSecond: (random) => random.between(0, 2),
  timeoutSeconds: (random) => random.between(0, 2),
  timeout: (random) => random.between(0, 2),
  url: (random) => random.pick(['http://127.0.0.1:1/', 'nonsense', 'file:///etc/passwd', '']),
  file: (random) => random.pick(['http://127.0.0.1:1/', 'nonsense', 'ftp://nowhere', { data: 'a text', name: 'a.txt' }, 7]),
  username: (random) => random.pick(['fuzzed', '', 'a/b', ['fuzzed']]),
}

function randomParam(
  random: Random,
  { name, type, values }: DescribedOperation['params'][number],
  stage: FuzzedStage,
): [string, unknown][] {
  if (chance(random, 0.2)) return []
  const held = heldBack[name]
  if (held !== undefined) return [[name, held(random, stage)]]
  if (chance(random, 0.15)) return [[name, randomJson(random, stage, 3)]]
  return [[name, values.length > 0 && chance(random, 0.7) ? random.pick(values) : randomOfType(random, type, stage)]]
}

function randomOfType(random: Random, type: string, stage: FuzzedStage): unknown {
  switch (type) {
    case 'boolean':
      return random.pick([true, false, 'true', 'no'])
    case 'int':
    case 'integer':
    case 'long':
    case 'float':
      return random.pick([...integers, '3', 'three'])
    case 'date':
      return random.pick(dates)
    case 'document':
      return random.pick([...stage.paths, ...stage.ids])
    case 'documents':
      return [random.pick(stage.paths), random.pick(stage.ids)]
    case 'properties':
      return random.pick([
        `dc:title=${randomText(random, stage)}`,
        { [randomText(random, stage)]: randomJson(random, stage, 2) },
        { 'dc:title': 'fuzzed' },
      ])
    case 'stringlist':
    case 'list':
      return [randomText(random, stage), randomText(random, stage)]
    case 'blob':
      return random.pick([
        { data: 'a text', name: 'a.txt', 'mime-type': 'text/plain' },
        { 'upload-batch': 'none', 'upload-fileId': '0' },
      ])
    default:
      return randomText(random, stage)
  }
}

function randomText(random: Random, stage: FuzzedStage): string {
  return random.pick([...words, ...stage.paths, ...stage.ids]) as string
}

function randomJson(random: Random, stage: FuzzedStage, depth: number): unknown {
  const forms: readonly (() => unknown)[] = [
    () => null,
    () => random.pick([true, false]),
    () => random.pick(integers),
    () => randomText(random, stage),
    ...(depth === 0
      ? []
      : [
          () => [randomJson(random, stage, depth - 1)],
          () => ({ [randomText(random, stage)]: randomJson(random, stage, depth - 1) }),
        ]),
  ]
  return random.pick(forms)?.()
}

function chance(random: Random, share: number): boolean {
  return random.next() < share
}

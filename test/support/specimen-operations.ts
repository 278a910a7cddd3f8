import { defineOperation } from '../../src/automation/operation.ts'
import { defaulted, optional, required } from '../../src/automation/parameter.ts'
import { jsonBlob, madeBlob } from '../../src/automation/values/flowing-blob.ts'
import type { Value } from '../../src/automation/values/value.ts'
import { parseIsoDate } from '../../src/base/iso-date.ts'
import { defineProblem } from '../../src/base/problem.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'

const category = 'Specimen'

/** Gives what it is given. */
const echo = defineOperation({
  id: 'Specimen.Echo',
  aliases: ['Specimen.Repeat', 'Specimen.Again'],
  category,
  description: 'Gives what it is given.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('object', 'object', (input) => input)],
})

const date = defineOperation({
  id: 'Specimen.Date',
  category,
  description: 'Gives a date.',
  effect: 'reads',
  params: { at: required('date') },
  run: ({ on }) => [on('void', 'date', (_, { params }) => parseIsoDate(params.at) ?? params.at)],
})

const blobs = defineOperation({
  id: 'Specimen.Blobs',
  category,
  description: 'Makes a file of each text.',
  effect: 'reads',
  params: { texts: defaulted('stringlist', []), name: defaulted('string', 'made.txt') },
  run: ({ on }) => [
    on('void', 'bloblist', (_, { params: { texts, name } }) =>
      texts.map((text, index) => madeBlob(text, { name: index === 0 ? name : `${index}-${name}`, mimeType: 'text/plain' })),
    ),
  ],
})

const jsonFile = defineOperation({
  id: 'Specimen.Json',
  category,
  description: 'Gives JSON as a file.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('void', 'blob', () => jsonBlob([{ a: 1 }]))],
})

const users = defineOperation({
  id: 'Specimen.Users',
  category,
  description: 'Gives users.',
  effect: 'reads',
  params: { names: required('stringlist') },
  run: ({ on }) => [on('void', 'object', (_, { params }): Value => ({ kind: 'users', names: params.names }))],
})

const rows = defineOperation({
  id: 'Specimen.Rows',
  category,
  description: 'Gives rows.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [
    on('void', 'recordset', () => ({
      page: {
        resultsCount: 1,
        pageSize: 10,
        maxPageSize: 1000,
        resultsCountLimit: 0,
        currentPageSize: 1,
        currentPageIndex: 0,
        currentPageOffset: 0,
        isSortable: true,
        error: null,
      },
      rows: [{ 'dc:title': 'A', 'ecm:uuid': 'x' }],
    })),
  ],
})

const shaped = defineOperation({
  id: 'Specimen.Shaped',
  category,
  description: 'Gives a business object.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('void', 'businessadapter', () => ({ type: 'Invoice', value: { number: 7 } }))],
})

const status = defineOperation({
  id: 'Specimen.Status',
  category,
  description: 'Succeeds with a status.',
  effect: 'reads',
  params: { status: required('int') },
  run: ({ on }) => [
    on('object', 'object', (input, { params, context }) => {
      context.succeedWith(params.status)
      return input
    }),
  ],
})

export const specimenRefused = defineProblem('specimenRefused', 'methodNotAllowed', (_: object) => 'Not with this specimen.')

const fail = defineOperation({
  id: 'Specimen.Fail',
  category,
  description: 'Writes, then fails.',
  effect: 'writes',
  params: { how: defaulted('string', 'refused') },
  run: ({ on }) => [
    on('document', 'document', async (document, { session, params }) => {
      await saveDocument(session, document.id, { 'dc:description': 'half done' })
      throw params.how === 'refused' ? specimenRefused({}) : new Error('The secret inside')
    }),
    on('void', 'void', (_, { params }) => {
      throw params.how === 'refused' ? specimenRefused({}) : new Error('The secret inside')
    }),
  ],
})

const swallow = defineOperation({
  id: 'Specimen.Swallow',
  category,
  description: 'Takes a document and gives nothing.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [on('document', 'void', () => undefined)],
})

const fileName = defineOperation({
  id: 'Specimen.FileName',
  category,
  description: 'Tells the name of a file.',
  effect: 'reads',
  params: {},
  run: ({ each }) => [each('blob', 'string', ({ blob }) => blob.name ?? '')],
})

const chosen = defineOperation({
  id: 'Specimen.Chosen',
  category,
  description: 'Always succeeds with 206.',
  effect: 'reads',
  params: {},
  run: ({ on }) => [
    on('void', 'string', (_, { context }) => {
      context.succeedWith(206)
      return 'chosen'
    }),
  ],
})

const documented = defineOperation({
  id: 'Specimen.Documented',
  aliases: ['Specimen.Described'],
  label: 'Described',
  category,
  description: 'Has something of everything.',
  since: '1.0',
  requires: 'Workflow',
  effect: 'reads',
  params: {
    alfa: optional('boolean'),
    bravo: required('long', { description: 'Comes next' }),
    yankee: required('int', { order: 2, widget: 'Option', values: ['1', '2'] }),
    xray: required('string', { order: 3 }),
  },
  run: ({ on, each }) => [
    each('document', 'blob', () => undefined),
    on('documents', 'bloblist', () => []),
    on('void', 'string', () => undefined),
  ],
})

const tell = defineOperation({
  id: 'Specimen.Tell',
  category,
  description: 'Tells what it was given.',
  effect: 'reads',
  params: {
    text: optional('string'),
    file: optional('blob'),
    files: optional('bloblist'),
    document: optional('document'),
    map: optional('map'),
  },
  run: ({ on }) => [
    on('object', 'map', (input, { params, context, session }) => ({
      input: input.kind,
      names: input.kind === 'blobs' ? input.blobs.map(({ blob }) => blob.name) : [],
      types: input.kind === 'blob' ? [input.blob.blob['mime-type']] : [],
      text: params.text ?? null,
      file: params.file?.blob.name ?? null,
      files: params.files?.map(({ blob }) => blob.name) ?? null,
      document: params.document?.path ?? null,
      map: params.map ?? null,
      user: session.principal.name,
      repository: session.repository.name,
      variables: [...context.variables.keys()].sort(),
    })),
  ],
})

const waiting = new Map<string, PromiseWithResolvers<void>>()
const doorOf = (name: string) => {
  const door = waiting.get(name) ?? Promise.withResolvers<void>()
  waiting.set(name, door)
  return door
}

const waitForRelease = defineOperation({
  id: 'Specimen.Wait',
  category,
  description: 'Waits until it is released.',
  effect: 'waits',
  params: { name: required('string') },
  run: ({ on }) => [
    on('void', 'string', async (_, { params, context }) => {
      await doorOf(params.name + context.host.baseUrl).promise
      return 'released'
    }),
  ],
})

const waitWithDocument = defineOperation({
  id: 'Specimen.WaitWith',
  category,
  description: 'Waits with a document until it is released.',
  effect: 'waits',
  params: { name: required('string') },
  run: ({ on }) => [
    on('document', 'document', async (document, { params, context }) => {
      await doorOf(params.name + context.host.baseUrl).promise
      return document
    }),
  ],
})

const release = defineOperation({
  id: 'Specimen.Release',
  category,
  description: 'Lets those go on that wait.',
  effect: 'reads',
  params: { name: required('string') },
  run: ({ on }) => [on('void', 'void', (_, { params, context }) => doorOf(params.name + context.host.baseUrl).resolve())],
})

const forAdministrators = defineOperation({
  id: 'Specimen.ForAdministrators',
  aliases: ['Specimen.ForFew'],
  category,
  description: 'For administrators.',
  effect: 'reads',
  access: { administrators: true },
  params: {},
  run: ({ on }) => [on('void', 'string', () => 'done')],
})

const forGroup = defineOperation({
  id: 'Specimen.ForGroup',
  category,
  description: 'For the members of a group.',
  effect: 'reads',
  access: { groups: ['specimenUsers'] },
  params: {},
  run: ({ on }) => [on('void', 'string', () => 'done')],
})

const disabled = defineOperation({
  id: 'Specimen.Disabled',
  category,
  description: 'For nobody.',
  effect: 'reads',
  access: { isDisabled: true },
  params: {},
  run: ({ on }) => [on('void', 'string', () => 'done')],
})

const secure = defineOperation({
  id: 'Specimen.Secure',
  category,
  description: 'Only over https.',
  effect: 'reads',
  access: { isSecure: true },
  params: {},
  run: ({ on }) => [on('void', 'string', () => 'done')],
})

/** Operations that show each way to be called and to answer. */
export const specimenOperations = definePlugin({
  name: 'specimen-operations',
  operations: [
    echo,
    date,
    blobs,
    jsonFile,
    users,
    rows,
    shaped,
    status,
    fail,
    swallow,
    fileName,
    chosen,
    documented,
    tell,
    waitForRelease,
    waitWithDocument,
    release,
    forAdministrators,
    forGroup,
    disabled,
    secure,
  ],
  chains: [
    {
      id: 'specimenChain',
      description: 'Runs what is for administrators.',
      steps: [{ operation: 'Specimen.ForAdministrators' }],
    },
    {
      id: 'specimenFailure',
      steps: [{ operation: 'Document.Update', params: { properties: 'dc:title=changed' } }, { operation: 'Specimen.Fail' }],
    },
    { id: 'specimenNothing', steps: [] },
    {
      id: 'specimenRename',
      aliases: ['specimenRenaming'],
      params: { suffix: optional('string') },
      steps: [
        { operation: 'Document.Update', params: { properties: 'dc:title=renamed' } },
        { operation: 'Document.Update', params: { properties: 'dc:description=twice' } },
      ],
    },
    { id: 'specimenClosedChain', access: { administrators: true }, steps: [{ operation: 'Specimen.Echo' }] },
  ],
})

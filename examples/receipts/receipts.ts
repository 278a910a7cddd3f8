import { text } from 'node:stream/consumers'
import {
  type Adapter,
  adapterMethod,
  defaulted,
  defineCommand,
  defineDocumentType,
  defineOperation,
  definePlugin,
  defineSchema,
  defineSettings,
  exitCodes,
  type JobHandler,
  json,
  type Listener,
  long,
  mainBlob,
  openBlob,
  readDocument,
  requireDocument,
  saveDocument,
  sql,
  string,
  systemAccess,
  type TableMigration,
  Type,
  type WriteSession,
} from 'quire'

const receiptSchema = defineSchema('receipt', {
  prefix: 'rec',
  fields: { number: string({ indexed: true }), words: long(), remark: string({ maxLength: 100 }) },
})

const receiptType = defineDocumentType('Receipt', { extends: 'File', schemas: ['receipt'], lifecycle: 'default' })

/** What an operator may tell the plugin: `--receipt-prefix`, `QUIRE_RECEIPT_PREFIX`, or `receiptPrefix` in quire.config.ts. */
const settings = defineSettings({
  receiptPrefix: { type: 'string', default: 'R', help: 'What the numbers of receipts begin with' },
})

/** The last number of each year. A released step never changes; a later one mends it. */
const tables: readonly TableMigration[] = [
  {
    version: 1,
    statements: ({ integer }) => [`CREATE TABLE receipts_numbers (year ${integer} PRIMARY KEY, last ${integer} NOT NULL)`],
  },
]

/** In the transaction of the request: what fails leaves no gap, and of two at once each gets its own. */
async function nextNumber({ tx }: WriteSession, year: number): Promise<number> {
  const row = await tx.tables.get(sql`
    INSERT INTO receipts_numbers (year, last) VALUES (${year}, 1)
    ON CONFLICT (year) DO UPDATE SET last = receipts_numbers.last + 1 RETURNING last`)
  return Number(row?.[0])
}

const numberReceipts = (prefix: string): Listener => ({
  name: 'numberReceipts',
  when: 'inline',
  events: ['aboutToCreate'],
  async handle({ document, time }, session) {
    if (document.type !== 'Receipt') return undefined
    const year = Number(time.slice(0, 4))
    const number = `${prefix}${year}-${await nextNumber(session, year)}`
    return { ...document, properties: { ...document.properties, 'rec:number': number } }
  },
})

/** The row of the job is written with the receipt, so that it is never forgotten. */
const leaveCounting: Listener = {
  name: 'leaveCounting',
  when: 'inline',
  events: ['documentCreated'],
  async handle({ document }, { tx }) {
    if (document.type === 'Receipt') await tx.jobs.add('countWords', { id: document.id })
  },
}

/** What makes something of a file takes its time, so nobody waits for it: it reads outside of a transaction and writes in one. */
const countWords: JobHandler = {
  kind: 'countWords',
  async run(payload, repository) {
    const { id } = payload as { readonly id: string }
    const access = systemAccess(repository)
    const blob = await access.read(async (session) => mainBlob(session, await readDocument(session, id)))
    const words = blob === undefined ? [] : (await text(await openBlob(repository.blobs, blob))).match(/\S+/g)
    await access.write((session) => saveDocument(session, id, { 'rec:words': words?.length ?? 0 }))
  },
}

/** `POST /automation/Receipts.Remark` with `{"input": "…", "params": {"remark": "checked"}}`. */
const remark = defineOperation({
  id: 'Receipts.Remark',
  category: 'Receipts',
  description: 'Notes a remark on a receipt.',
  effect: 'writes',
  params: { remark: defaulted('string', 'checked', { description: 'What is noted' }) },
  run: ({ each }) => [
    each('document', 'document', ({ id }, { session, params }) => saveDocument(session, id, { 'rec:remark': params.remark })),
  ],
})

/** `GET /id/{id}/@receipt` */
const receiptAdapter: Adapter = {
  name: 'receipt',
  summary: 'What is known of a receipt',
  accepts: ['document'],
  methods: {
    GET: adapterMethod({
      summary: 'The number of the receipt and how many words its file has',
      answers: { 200: Type.Object({ number: Type.String(), words: Type.Integer() }) },
      handle: ({ exchange, resolve }) =>
        exchange.read(async (session) => {
          const { properties } = requireDocument(await resolve(session))
          return json({ number: String(properties['rec:number']), words: Number(properties['rec:words'] ?? 0) })
        }),
    }),
  },
}

/** `quire receipts` beside a running server, or without one. */
const receiptsCommand = defineCommand({
  name: 'receipts',
  summary: 'tell how many receipts each year has',
  options: { year: { type: 'integer', help: 'Only this one' } },
  async run({ options, print, openServices }) {
    const { services, close } = await openServices()
    try {
      for (const { name, store } of services.repositories.values()) {
        const rows = await store.reader.tables.all(sql`SELECT year, last FROM receipts_numbers ORDER BY year`)
        for (const [year, last] of rows)
          if (options.year === undefined || options.year === year) print(`${name} ${year}: ${last}`)
      }
    } finally {
      await close()
    }
    return exitCodes.done
  },
})

export default definePlugin({
  name: 'receipts',
  schemas: [receiptSchema],
  documentTypes: [receiptType],
  documentTypeAdditions: [{ type: 'Workspace', subtypes: ['Receipt'] }],
  settings,
  tables,
  commands: { receipts: async () => receiptsCommand },
  listeners: [leaveCounting],
  jobs: [countWords],
  operations: [remark],
  adapters: [receiptAdapter],
  staticFiles: [{ path: '/receipts', folder: new URL('./pages/', import.meta.url), isPublic: true }],
  contribute: ({ receiptPrefix }) => ({ listeners: [numberReceipts(receiptPrefix)] }),
})

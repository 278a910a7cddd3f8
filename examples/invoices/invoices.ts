import {
  type Adapter,
  type ConsoleContributions,
  type Document,
  date,
  defineDocumentType,
  defineEnricher,
  definePlugin,
  defineProblem,
  defineSchema,
  double,
  type Listener,
  string,
  Type,
} from 'quire'

const invoiceSchema = defineSchema('invoice', {
  prefix: 'inv',
  fields: {
    number: string({ indexed: true }),
    customer: string({ nillable: false, maxLength: 200 }),
    amount: double({ nillable: false, constraints: [{ kind: 'numericInterval', minimum: 0, minimumInclusive: true }] }),
    currency: string({ default: 'EUR', values: ['EUR', 'USD', 'GBP'] }),
    due: date(),
  },
})

const invoiceType = defineDocumentType('Invoice', {
  extends: 'File',
  schemas: ['invoice'],
  lifecycle: 'invoice',
  icon: '/icons/invoice.png',
})

/** Numbers invoices by the year they are created in and the last digits of their id. */
const numberInvoices: Listener = {
  name: 'numberInvoices',
  when: 'inline',
  events: ['aboutToCreate'],
  handle({ document, time }) {
    if (document.type !== 'Invoice' || document.properties['inv:number'] != null) return undefined
    const number = `${time.slice(0, 4)}-${document.id.slice(-8)}`
    return { ...document, properties: { ...document.properties, 'inv:number': number } }
  },
}

const paidInvoiceIsFinal = defineProblem(
  'paidInvoiceIsFinal',
  'conflict',
  (of: { number: string }) => `Invoice ${of.number} is paid and cannot be removed.`,
)

/** A listener of a before-event stops the request by throwing. */
const keepPaidInvoices: Listener = {
  name: 'keepPaidInvoices',
  when: 'inline',
  events: ['aboutToRemove'],
  handle({ document }) {
    if (document.type === 'Invoice' && document.state === 'paid') {
      throw paidInvoiceIsFinal({ number: String(document.properties['inv:number']) })
    }
  },
}

/** `enrichers-document: overdue` tells whether an open invoice is late. */
const overdue = defineEnricher({
  name: 'overdue',
  entityType: 'document',
  adds: { overdue: Type.Boolean() },
  enrich: async ({ document, context }) => ({ overdue: isOverdue(document, context.session.now) }),
})

function isOverdue(document: Document, now: string): boolean {
  const due = document.properties['inv:due']
  return document.state === 'open' && typeof due === 'string' && due < now
}

/** `GET /id/{folder}/@children/@overdue`: of the children on the page, the late invoices. */
const overdueAdapter: Adapter = {
  name: 'overdue',
  summary: 'The late invoices of a list',
  accepts: ['documents'],
  resolve: async ({ resource, session }) => {
    const documents = resource.kind === 'documents' ? resource.documents : []
    return { kind: 'documents', documents: documents.filter((document) => isOverdue(document, session.now)) }
  },
}

/** How the console shows invoices, and what it can do with them. The components are files of the folder `console`. */
const inTheConsole: ConsoleContributions = {
  folder: new URL('./console/', import.meta.url),
  layouts: [
    {
      type: 'Invoice',
      groups: [
        {
          label: { en: 'Invoice', fr: 'Facture' },
          fields: [
            'dc:title',
            { field: 'inv:customer', label: { en: 'Customer', fr: 'Client' } },
            { field: 'inv:amount', label: { en: 'Amount', fr: 'Montant' }, width: 'half', widget: 'amount-field' },
            { field: 'inv:currency', label: { en: 'Currency', fr: 'Devise' }, width: 'half' },
            { field: 'inv:due', label: { en: 'Due', fr: 'Échéance' }, width: 'half', when: { state: 'open' } },
            {
              field: 'inv:number',
              label: { en: 'Number', fr: 'Numéro' },
              hint: { en: 'Given by the server unless you know better.', fr: 'Attribué par le serveur, sauf avis contraire.' },
              width: 'half',
            },
          ],
        },
        {
          label: { en: 'Foreign currency', fr: 'Devise étrangère' },
          fields: ['dc:source'],
          when: { not: { field: 'inv:currency', is: ['EUR', null] } },
        },
      ],
      columns: [
        { field: 'inv:customer', label: { en: 'Customer', fr: 'Client' }, width: 160 },
        { field: 'inv:amount', label: { en: 'Amount', fr: 'Montant' }, width: 100 },
        { field: 'inv:due', label: { en: 'Due', fr: 'Échéance' }, width: 130 },
      ],
    },
  ],
  widgets: [{ name: 'amount-field', file: 'amount-field.js' }],
  tabs: [{ name: 'payment', label: { en: 'Payment', fr: 'Paiement' }, file: 'payment-tab.js', when: { type: 'Invoice' } }],
  actions: [
    {
      name: 'mark-paid',
      label: { en: 'Mark as paid', fr: 'Marquer comme payée' },
      file: 'mark-paid.js',
      when: { all: [{ type: 'Invoice' }, { state: 'open' }] },
    },
  ],
  pages: [{ name: 'late', label: { en: 'Late invoices', fr: 'Factures en retard' }, file: 'late-invoices.js' }],
}

export default definePlugin({
  name: 'invoices',
  schemas: [invoiceSchema],
  documentTypes: [invoiceType],
  documentTypeAdditions: [{ type: 'Workspace', subtypes: ['Invoice'] }],
  lifecycles: [{ name: 'invoice', initial: 'open', states: { open: ['pay'], paid: [] }, transitions: { pay: 'paid' } }],
  listeners: [numberInvoices, keepPaidInvoices],
  enrichers: [overdue],
  adapters: [overdueAdapter],
  console: inTheConsole,
})

import {
  date,
  defineDocumentType,
  defineOperation,
  definePlugin,
  defineProblem,
  defineSchema,
  followTransition,
  saveDocument,
  string,
} from 'quire'

/** What a contract knows beside its file. Clients read and write it as `contract:party`. */
const contractSchema = defineSchema('contract', {
  fields: {
    party: string({ nillable: false, maxLength: 200, indexed: true }),
    signed: date(),
  },
})

const contractType = defineDocumentType('Contract', { extends: 'File', schemas: ['contract'], lifecycle: 'contract' })

const alreadySigned = defineProblem('alreadySigned', 'conflict', (of: { title: string }) => `${of.title} is signed already.`)

/** `POST /api/v1/id/{id}/@op/Contract.Sign`, with the rights of whoever calls. */
const signContract = defineOperation({
  id: 'Contract.Sign',
  category: 'Contracts',
  description: 'Signs a contract: it gets the day, and can be signed only once.',
  effect: 'writes',
  params: {},
  run: ({ each }) => [
    each('document', 'document', async (contract, { session }) => {
      if (contract.state === 'signed') throw alreadySigned({ title: String(contract.properties['dc:title']) })
      await saveDocument(session, contract.id, { 'contract:signed': session.now })
      return followTransition(session, contract.id, 'sign')
    }),
  ],
})

export default definePlugin({
  name: 'contracts',
  schemas: [contractSchema],
  documentTypes: [contractType],
  documentTypeAdditions: [{ type: 'Workspace', subtypes: ['Contract'] }],
  lifecycles: [{ name: 'contract', initial: 'draft', states: { draft: ['sign'], signed: [] }, transitions: { sign: 'signed' } }],
  operations: [signContract],
})

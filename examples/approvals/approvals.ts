import {
  defaulted,
  defineChain,
  defineOperation,
  definePlugin,
  defineProblem,
  defineScript,
  followTransition,
  jsonBlob,
  required,
} from 'quire'

const nothingToApprove = defineProblem(
  'nothingToApprove',
  'conflict',
  (of: { path: string }) => `${of.path} has no text that could be approved.`,
)

/** An operation does one thing. Parameters are checked before it runs, and its session has the rights of whoever calls. */
const approve = defineOperation({
  id: 'Approvals.Approve',
  category: 'Approvals',
  description: 'Approves a note that has a text.',
  effect: 'writes',
  params: {},
  run: ({ each }) => [
    each('document', 'document', (document, { session }) => {
      if (!document.properties['note:note']) throw nothingToApprove({ path: document.path ?? document.id })
      return followTransition(session, document.id, 'approve')
    }),
  ],
})

/** A chain is operations one after the other, all or none. What begins with `expr:` is evaluated when the step runs. */
const approveAndLock = defineChain({
  id: 'Approvals.ApproveAndLock',
  description: 'Approves a note, says who did, and locks it.',
  params: { remark: defaulted('string', 'approved') },
  steps: [
    { operation: 'Approvals.Approve' },
    {
      operation: 'Document.SetProperty',
      params: { xpath: 'dc:rights', value: 'expr:@{ChainParameters["remark"]} by @{CurrentUser.name}' },
    },
    { operation: 'Document.Lock' },
  ],
  catches: [{ chain: 'Approvals.SendBack', filter: 'Exception == "nothingToApprove"' }],
})

/** Runs instead when the chain above finds nothing to approve; what that one did is undone first. */
const sendBack = defineChain({
  id: 'Approvals.SendBack',
  description: 'Says what is missing.',
  steps: [
    { operation: 'Document.SetProperty', params: { xpath: 'dc:rights', value: 'expr:sent back: @{exceptionObject.message}' } },
  ],
})

/** A script is a function that calls other operations. */
const approveAll = defineScript({
  id: 'Approvals.ApproveAll',
  description: 'Approves the notes in a folder and tells which were.',
  input: 'document',
  output: 'blob',
  params: { remark: required('string') },
  async run(folder, { params: { remark }, call }) {
    const children = await call('Document.GetChildren', { input: folder, gives: 'documents' })
    const approved: string[] = []
    for (const note of children.filter(({ type, state }) => type === 'Note' && state === 'project')) {
      const result = await call('Approvals.ApproveAndLock', { input: note, params: { remark }, gives: 'document' })
      if (result.state === 'approved') approved.push(note.name)
    }
    return jsonBlob(approved)
  },
})

/** The input may be a document that was never stored: `{"entity-type": "document", "type": "Note", "properties": {…}}`. */
const returnTitle = defineScript({
  id: 'Scripting.ReturnDocumentTitle',
  description: 'Gives the title of a document.',
  input: 'document',
  output: 'string',
  run: ({ properties }) => String(properties['dc:title'] ?? ''),
})

export default definePlugin({
  name: 'approvals',
  operations: [approve, approveAll, returnTitle],
  chains: [approveAndLock, sendBack],
})

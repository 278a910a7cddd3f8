import { type Chain, defineChain } from '../../../automation/chain.ts'
import { reviewAccess } from './review-operations.ts'

// What nodes of the two reviews run (contract: workflow 9.3).

const setWorkflow = (name: string, value: string) => ({ operation: 'Context.SetWorkflowVar', params: { name, value } })
const setNode = (name: string, value: string | null) => ({ operation: 'Workflow.SetNodeVariable', params: { name, value } })
const chain = (id: string, description: string, ...steps: Chain['steps']): Chain =>
  defineChain({ id, description, access: reviewAccess, steps })

const index = 'WorkflowVariables["index"]'
const pressed = (button: string) => `NodeVariables["button"] == "${button}"`

export const reviewChains: readonly Chain[] = [
  chain(
    'initInitiatorComment',
    'Keeps what the initiator said for the participants.',
    setWorkflow(
      'initiatorComment',
      'expr:NodeVariables["comment"] == empty ? WorkflowVariables["initiatorComment"] : NodeVariables["comment"]',
    ),
  ),
  chain('reinitAssigneeComment', 'The next participant begins with an empty remark.', setNode('comment', null)),
  chain(
    'nextAssignee',
    'Goes on to the participant who is asked next.',
    setWorkflow(
      'index',
      `expr:${pressed('validate')} ? ${index} + 1 : ${pressed('reject')} ? ${index} - 1 : ${pressed('submit')} ? 0 : ${index}`,
    ),
  ),
  chain(
    'validateDocument',
    'Approves the documents and keeps a version of them.',
    { operation: 'review.approve' },
    { operation: 'Document.CheckIn', params: { version: 'minor', comment: 'Approved by a review' } },
  ),
  chain('NRD-AC-PR-UnlockDocument', 'Unlocks the documents that the review has locked.', { operation: 'review.unlock' }),
  chain(
    'NRD-AC-PR-ChooseParticipants-Output',
    'Locks the documents, and keeps what the initiator said.',
    { operation: 'NRD-AC-PR-LockDocument' },
    setWorkflow('initiatorComment', 'expr:NodeVariables["comment"]'),
  ),
  chain(
    'NRD-AC-PR-ValidateNode-Output',
    'Unlocks the documents and notes the decision.',
    { operation: 'NRD-AC-PR-UnlockDocument' },
    { operation: 'logInAudit' },
  ),
  chain('voidChain', 'Does nothing.'),
]

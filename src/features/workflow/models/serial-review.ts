import { defineWorkflow } from '../../../automation/workflow.ts'
import { list, long, string, user } from '../../../model/field.ts'
import { serialLabels } from './review-labels.ts'

const key = (name: string) => `wf.serialDocumentReview.${name}`

/** On which documents reviews are offered: those that the caller may write, unless they are approved already. */
export const reviewable =
  'Document.hasPermission("ReadWrite") && ["Audio", "File", "Note", "Picture", "Video"].contains(Document.type)' +
  ' && Document.lifeCycle != "approved" && !Document.trashed && !Document.immutable'

const pressed = (button: string) => `NodeVariables["button"] == "${button}"`
const inFiveDays = 'CurrentDate.days(5)'
const index = 'WorkflowVariables["index"]'
const participants = 'WorkflowVariables["participants"]'
const thanks = 'Thank you for your time.'

/** Participants are asked one after the other; whoever rejects sends the document back to the one before (contract: workflow 9.1). */
export const serialReview = defineWorkflow({
  name: 'SerialDocumentReview',
  title: key('SerialDocumentReview'),
  availability: { id: 'filter@SerialDocumentReview', condition: reviewable },
  variables: {
    index: long({ default: 0 }),
    initiatorComment: string(),
    participants: list(user({ type: 'any' })),
    validationOrReview: string({ default: 'validation' }),
  },
  labels: serialLabels,
  nodes: {
    Task375f: {
      title: 'Start',
      isStart: true,
      x: 440,
      y: 0,
      transitions: [{ name: 'startTask375f', label: 'start', to: 'Task38e' }],
    },
    Task38e: {
      title: key('chooseParticipants'),
      description: thanks,
      x: 420,
      y: 100,
      variables: { comment: string() },
      exposes: ['participants', 'validationOrReview'],
      outputChain: 'initInitiatorComment',
      task: {
        directive: key('pleaseSelect'),
        assigneesExpr: 'workflowInitiator',
        due: inFiveDays,
        allowsReassignment: false,
        layout: 'Task38e@taskLayout',
        buttons: [
          { name: 'cancel', label: key('cancel'), validate: false },
          { name: 'start_review', label: key('startReview') },
        ],
      },
      transitions: [
        { name: 'sdr_cancelationTask38e', label: 'sdr_cancelation', to: 'Task5c1', when: pressed('cancel') },
        {
          name: 'sdr_start_reviewTask38e',
          label: 'sdr_start_review',
          to: 'Task6d8',
          when: pressed('start_review'),
          path: points([180, 0], [180, 24], [0, 24], [0, 100]),
        },
      ],
    },
    Task6d8: {
      title: key('DocumentValidation'),
      description: thanks,
      x: 240,
      y: 280,
      variables: { comment: string() },
      exposes: ['initiatorComment', 'participants'],
      inputChain: 'reinitAssigneeComment',
      outputChain: 'nextAssignee',
      task: {
        directive: key('AcceptReject'),
        assigneesExpr: `${participants}[${index}]`,
        permission: 'ReadWrite',
        due: inFiveDays,
        mailTemplate: 'workflowTaskAssigned',
        layout: 'Task6d8@taskLayout',
        buttons: [
          { name: 'reject', label: key('Reject') },
          { name: 'validate', label: key('Validate') },
        ],
      },
      transitions: [
        {
          name: 'sdr_finishTask6d8',
          label: 'sdr_finish',
          to: 'Task5c1',
          when: `${pressed('validate')} && ${index} == ${participants}.size()`,
          chain: 'terminateWorkflow',
          path: points([0, 0], [0, 130], [200, 130], [200, 260]),
        },
        {
          name: 'sdr_rejectionTask6d8',
          label: 'sdr_rejection',
          to: 'Task6d8',
          when: `${pressed('reject')} && ${index} >= 0`,
          chain: 'logInAudit',
          path: points([0, 80], [0, 125], [-151, 125], [-151, -76], [20, -76], [20, 0]),
        },
        {
          name: 'sdr_update_requestTask6d8',
          label: 'sdr_update_request',
          to: 'Task542',
          when: `${pressed('reject')} && ${index} == -1`,
          chain: 'logInAudit',
          path: points([0, 80], [0, 123], [190, 123], [190, -30], [380, -30], [380, 0]),
        },
        {
          name: 'sdr_validationTask6d8',
          label: 'sdr_validation',
          to: 'Task6d8',
          when: `${pressed('validate')} && ${index} < ${participants}.size()`,
          chain: 'logInAudit',
          path: points([20, 80], [20, 164], [-125, 164], [-125, -30], [0, -30], [0, 0]),
        },
      ],
    },
    Task542: {
      title: key('updateRequest'),
      description: thanks,
      x: 620,
      y: 280,
      outputChain: 'nextAssignee',
      task: {
        directive: key('updateRequest.directive'),
        assigneesExpr: 'workflowInitiator',
        due: inFiveDays,
        allowsReassignment: false,
        layout: 'Task542@taskLayout',
        buttons: [
          { name: 'cancel', label: key('cancel') },
          { name: 'submit', label: key('submit') },
        ],
      },
      transitions: [
        {
          name: 'sdr_cancelationTask542',
          label: 'sdr_cancelation',
          to: 'Task5c1',
          when: pressed('cancel'),
          path: points([200, 0], [200, 130], [0, 130], [0, 260]),
        },
        {
          name: 'sdr_submissionTask542',
          label: 'sdr_submission',
          to: 'Task6d8',
          when: pressed('submit'),
          path: points([380, 80], [380, 103], [71, 103], [71, -30], [0, -30], [0, 0]),
        },
      ],
    },
    Task5c1: { title: 'Stop', isStop: true, x: 420, y: 620 },
  },
})

function points(...places: readonly (readonly [x: number, y: number])[]) {
  return places.map(([x, y]) => ({ x, y }))
}

import { defineWorkflow } from '../../../automation/workflow.ts'
import { blob, date, list, string, user } from '../../../model/field.ts'
import { parallelLabels } from './review-labels.ts'
import { reviewable } from './serial-review.ts'

const key = (name: string) => `wf.parallelDocumentReview.${name}`
const pressed = (button: string) => `NodeVariables["button"] == "${button}"`
const own = { assignees: list(user({ type: 'any' })), comment: string() }

/** What instances of it are called, by which whoever ends one knows that its document is to be unlocked. */
export const parallelTitle = key('ParallelDocumentReview')

export const longestSummary = 10_000

/** Participants are asked at the same time, and the initiator decides by what they say (contract: workflow 9.2). */
export const parallelReview = defineWorkflow({
  name: 'ParallelDocumentReview',
  title: parallelTitle,
  availability: { id: 'filter@wf@ParallelDocumentReview', condition: `${reviewable} && !Document.locked` },
  variables: {
    end_date: date(),
    initiatorComment: string(),
    participants: list(user({ type: 'any' })),
    review_result: string({ maxLength: longestSummary }),
    review_result_file: blob(),
    validationOrReview: string(),
  },
  html: ['review_result'],
  labels: parallelLabels,
  nodes: {
    Task21a0: {
      title: 'Start',
      isStart: true,
      x: 360,
      y: 20,
      transitions: [{ name: 'automatic_transitionTask21a0', label: 'automatic_transition', to: 'Task2556' }],
    },
    Task2556: {
      title: key('chooseParticipants.title'),
      x: 340,
      y: 120,
      variables: own,
      exposes: ['end_date', 'participants'],
      outputChain: 'NRD-AC-PR-ChooseParticipants-Output',
      task: {
        directive: key('chooseParticipants.directive'),
        assigneesExpr: 'workflowInitiator',
        permission: 'ReadWrite',
        due: 'CurrentDate.days(1)',
        allowsReassignment: false,
        layout: 'Task2556@taskLayout',
        buttons: [
          { name: 'cancel', label: key('cancel'), validate: false },
          { name: 'start_review', label: key('startReview') },
        ],
      },
      transitions: [
        {
          name: 'prl_cancelationTask2556',
          label: 'prl_cancelation',
          to: 'Task2225',
          when: pressed('cancel'),
          chain: 'NRD-AC-PR-UnlockDocument',
        },
        { name: 'prl_review_startTask2556', label: 'prl_review_start', to: 'Task328d', when: pressed('start_review') },
      ],
    },
    Task328d: {
      title: key('give_opinion.title'),
      x: 140,
      y: 240,
      variables: own,
      exposes: ['initiatorComment'],
      task: {
        directive: key('give_opinion.directive'),
        assigneesExpr: 'WorkflowVariables["participants"].isEmpty() ? null : WorkflowVariables["participants"]',
        perAssignee: true,
        permission: 'Read',
        due: 'WorkflowVariables["end_date"]',
        mailTemplate: 'workflowTaskAssigned',
        layout: 'Task328d@taskLayout',
        buttons: [
          { name: 'NA', label: key('NA') },
          { name: 'approve', label: key('approve') },
          { name: 'reject', label: key('reject') },
        ],
      },
      escalations: [
        {
          name: 'forceNext',
          condition: 'WorkflowVariables["end_date"] != null && CurrentDate.date > WorkflowVariables["end_date"].days(1).date',
          chain: 'NRD-AC-PR-force-validate',
        },
      ],
      transitions: [{ name: 'automaticTask328d', label: 'automatic', to: 'Task2169', chain: 'NRD-AC-PR-storeTaskInfo' }],
    },
    Task2169: {
      title: key('consolidate.title'),
      x: 360,
      y: 320,
      variables: own,
      exposes: ['review_result'],
      outputChain: 'NRD-AC-PR-ValidateNode-Output',
      task: {
        directive: key('consolidate.directive'),
        assigneesExpr: 'workflowInitiator',
        permission: 'ReadWrite',
        due: 'CurrentDate.days(5)',
        mailTemplate: 'workflowTaskAssigned',
        layout: 'Task2169@taskLayout',
        buttons: [
          { name: 'reject', label: key('reject') },
          { name: 'validate', label: key('approve') },
        ],
      },
      transitions: [
        {
          name: 'prl_validateTask2169',
          label: 'prl_validate',
          to: 'Task22b4',
          when: pressed('validate'),
          chain: 'validateDocument',
        },
        { name: 'prl_rejectTask2169', label: 'prl_reject', to: 'Task232e', when: pressed('reject') },
      ],
    },
    Task2225: { title: 'Stop', isStop: true, x: 580, y: 240 },
    Task22b4: { title: 'Stop', isStop: true, x: 580, y: 480 },
    Task232e: { title: 'Stop', isStop: true, x: 160, y: 480 },
  },
})

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Play, Workflow as WorkflowIcon } from 'lucide-react'
import { useDocumentChange } from '../../api/changes.ts'
import type { Document } from '../../api/types.ts'
import { documentWorkflowsQuery, startWorkflow, type Workflow } from '../../api/workflow.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useLanguage } from '../../words/words.ts'
import { isReviewable } from './reviewable.ts'
import { useWorkflowWords } from './words.ts'

/** Starts a workflow and leads to where it is seen, with the first thing that it asks for. */
export function useStartWorkflow(document: Document): (workflow: Workflow) => void {
  const say = useWorkflowWords()
  const navigate = useNavigate()
  const start = useDocumentChange((modelName: string) => startWorkflow(document.uid, modelName))
  return (workflow) =>
    start.mutate(workflow.workflowModelName, {
      onSuccess: () => {
        tell({ text: say('started', { title: workflow.title ?? workflow.name }) })
        void navigate({ to: '/browse/$', params: { _splat: (document.path ?? '').slice(1) }, search: { tab: 'workflow' } })
      },
      onError: ({ message }) => tell({ kind: 'problem', text: message }),
    })
}

/** Offers what can be started on the document; not there where nothing can. */
export function StartWorkflowButton({ document }: { readonly document: Document }) {
  const say = useWorkflowWords()
  const start = useStartWorkflow(document)
  const language = useLanguage()
  const { data } = useQuery({ ...documentWorkflowsQuery(document.uid, language), enabled: isReviewable(document) })
  const runnable = data?.runnable ?? []
  if (runnable.length === 0) return null
  return (
    <Menu
      trigger={
        <Button look="quiet">
          <WorkflowIcon size={16} aria-hidden />
          <span className="wide-only">{say('start')}</span>
        </Button>
      }
    >
      {runnable.map((workflow) => (
        <MenuItem key={workflow.id} textValue={workflow.title ?? workflow.name} onAction={() => start(workflow)}>
          <Play size={16} aria-hidden />
          {workflow.title ?? workflow.name}
        </MenuItem>
      ))}
    </Menu>
  )
}

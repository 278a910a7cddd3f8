import { MonitorCheck, MonitorDown, MonitorX } from 'lucide-react'
import { useDocumentChange } from '../../api/changes.ts'
import { type Document, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { tell } from '../../ui/toasts.tsx'
import { told } from '../problems/told.ts'
import { setSynchronisation } from './synchronisation.ts'
import { useSynchronisationWords } from './words.ts'

/** Has one's desktop clients synchronise a folder, or no longer. What is in one that they synchronise comes with that. */
export function SynchroniseButton({ document }: { readonly document: Document }) {
  const say = useSynchronisationWords()
  const change = useDocumentChange(setSynchronisation)
  const { synchronization } = document.contextParameters ?? {}
  if (synchronization === undefined || document.path === '/') return null
  const { root } = synchronization
  if (root !== null && root.id !== document.uid) return <Within title={root.title} />
  const isOwn = root !== null
  const Icon = isOwn ? MonitorX : MonitorDown
  const title = titleOf(document)
  const toggle = () =>
    told(change.mutateAsync({ id: document.uid, enable: !isOwn }), () =>
      tell({ text: say(isOwn ? 'stopped' : 'started', { title }) }),
    )
  return (
    <Button look="quiet" isPending={change.isPending} onPress={toggle}>
      <Icon size={16} aria-hidden />
      <span className="wide-only">{say(isOwn ? 'stop' : 'start')}</span>
    </Button>
  )
}

/** It is given up where it was chosen. */
function Within({ title }: { readonly title: string | null }) {
  const say = useSynchronisationWords()
  return (
    <Button look="quiet" isDisabled>
      <MonitorCheck size={16} aria-hidden />
      <span className="wide-only">{title === null ? say('withinUnknown') : say('within', { title })}</span>
    </Button>
  )
}

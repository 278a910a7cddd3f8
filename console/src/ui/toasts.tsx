import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import styles from './toasts.module.css'

export interface Toast {
  readonly text: string
  readonly kind?: 'done' | 'problem'
  /** What can be done about it at once, such as undoing it. */
  readonly action?: { readonly label: string; run(): void }
}

interface ShownToast extends Toast {
  readonly id: number
}

const shownSeconds = 8
const shownAtMost = 4
let shown: readonly ShownToast[] = []
let lastId = 0
const watchers = new Set<() => void>()

function change(next: readonly ShownToast[]): void {
  shown = next
  for (const watch of watchers) watch()
}

function dismiss(id: number): void {
  change(shown.filter((toast) => toast.id !== id))
}

/** Tells of something that was done, for a while. A problem stays until somebody has seen it. */
export function tell(toast: Toast): void {
  lastId += 1
  const id = lastId
  change([...shown, { ...toast, id }].slice(-shownAtMost))
  if (toast.kind !== 'problem') setTimeout(() => dismiss(id), shownSeconds * 1_000)
}

/** Does what the last message offers to do about it. */
export function undoLast(): void {
  const last = shown.findLast(({ action }) => action !== undefined)
  if (last === undefined) return
  dismiss(last.id)
  last.action?.run()
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export function Toasts({ dismissLabel }: { readonly dismissLabel: string }) {
  const toasts = useSyncExternalStore(watch, () => shown)
  return (
    <div className={styles.stack} role="status" aria-live="polite">
      {toasts.map(({ id, text, kind = 'done', action }) => (
        <div key={id} className={styles.toast} data-kind={kind}>
          <span className={styles.text}>{text}</span>
          {action === undefined ? null : (
            <Button
              look="quiet"
              onPress={() => {
                dismiss(id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          )}
          <Button look="quiet" aria-label={dismissLabel} onPress={() => dismiss(id)}>
            <X size={16} aria-hidden />
          </Button>
        </div>
      ))}
    </div>
  )
}

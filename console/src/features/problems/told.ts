import { tell } from '../../ui/toasts.tsx'

/**
 * Tells of a change when it is done, or why it was refused. Callbacks of `mutate` are not called once the component is gone that asked for
 * it, such as a bar that goes with the selection.
 */
export function told<Result>(change: Promise<Result>, onDone?: (result: Result) => void): void {
  change.then(onDone, (error: Error) => tell({ kind: 'problem', text: error.message }))
}

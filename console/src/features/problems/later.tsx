import { Component, type ComponentType, lazy, type ReactNode, useEffect } from 'react'
import { CodeMissing, loadCode } from '../../api/code.ts'
import { tell } from '../../ui/toasts.tsx'
import { useSaidProblem } from './said-problem.ts'
import { Refused } from './shown.tsx'

interface BoundaryProps {
  readonly children: ReactNode
  refused(error: unknown, retry: () => void): ReactNode
}

/** Keeps what goes wrong in a part from the page around it. */
class Boundary extends Component<BoundaryProps, { readonly failure?: { readonly error: unknown } | undefined }> {
  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } }
  }
  override state: { readonly failure?: { readonly error: unknown } | undefined } = {}
  retry = () => this.setState({ failure: undefined })
  override render() {
    const { failure } = this.state
    return failure === undefined ? this.props.children : this.props.refused(failure.error, this.retry)
  }
}

interface LaterLook {
  /** It lies over the page, or is too small to say anything in its place: a message says that it could not be shown. */
  readonly isOver?: boolean
  /** Without it there is no page. */
  readonly isPage?: boolean
}

/** A component whose code comes when it is first shown, inside a `Suspense`: of `lazy` alone, a failure takes the whole page with it. */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>, { isOver, isPage }: LaterLook = {}) {
  const Loaded = lazy(async () => ({ default: await loadCode(load) }))
  return function Later(props: Props) {
    const refused = (error: unknown, retry: () => void) =>
      isOver ? <Told error={error} onRetry={retry} {...props} /> : <Refused error={error} isPage={isPage} onRetry={retry} />
    return (
      <Boundary refused={refused}>
        <Loaded {...props} />
      </Boundary>
    )
  }
}

interface ToldProps {
  readonly error: unknown
  onRetry(): void
  /** What can be closed is, and can be opened again. */
  onClose?(): void
}

function Told({ error, onRetry, onClose }: ToldProps) {
  const { title, sentence, action, act } = useSaidProblem(error, onRetry)
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for each failure
  useEffect(() => {
    const isOffered = onClose === undefined || error instanceof CodeMissing
    tell({ kind: 'problem', text: `${title}. ${sentence}`, ...(isOffered && { action: { label: action, run: act } }) })
    onClose?.()
  }, [error])
  return null
}

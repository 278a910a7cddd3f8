import type { ComponentType } from 'react'

export interface SelectionActionProps {
  readonly ids: readonly string[]
  /** Called when it is done, after which nothing is selected. */
  onDone(): void
}

/** A button that does something with all that is selected. */
export type SelectionAction = ComponentType<SelectionActionProps>

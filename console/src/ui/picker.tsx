import type { LucideIcon } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components'
import dialogStyles from './dialog/dialog.module.css'
import styles from './picker.module.css'

export interface Pick {
  readonly id: string
  readonly label: string
  /** Said beside it: where it lies, which keys do the same. */
  readonly hint?: string
  readonly keys?: readonly string[]
  readonly icon?: LucideIcon
}

export interface PickerProps<Item extends Pick> {
  readonly label: string
  readonly placeholder: string
  /** What is said when nothing fits. */
  readonly nothing: string
  readonly text: string
  onText(text: string): void
  /** In parts, each under its heading. */
  readonly groups: readonly { readonly heading: string; readonly items: readonly Item[] }[]
  onPick(item: Item): void
  onClose(): void
}

/** A field and what fits what is typed into it: arrows move, Enter takes, Escape leaves everything as it was. */
export function Picker<Item extends Pick>(props: PickerProps<Item>) {
  const { label, placeholder, nothing, text, onText, groups, onPick, onClose } = props
  const id = useId()
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const items = groups.flatMap((group) => group.items)
  const current = Math.max(0, Math.min(at, items.length - 1))
  // Browsers of today give a promise for it, which is nothing to clean up with.
  useEffect(() => void list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }))

  const pressed = (event: KeyboardEvent) => {
    const moves: { readonly [key: string]: number } = { ArrowDown: current + 1, ArrowUp: current - 1 }
    const next = moves[event.key]
    const item = items[current]
    if (next !== undefined) setAt((next + items.length) % Math.max(1, items.length))
    else if (event.key === 'Enter' && item !== undefined && !event.nativeEvent.isComposing) onPick(item)
    else return
    event.preventDefault()
  }

  return (
    <ModalOverlay
      className={`${dialogStyles.veil} ${styles.veil}`}
      isOpen
      onOpenChange={(open) => open || onClose()}
      isDismissable
    >
      <Modal className={styles.box}>
        <AriaDialog className={styles.dialog} aria-label={label}>
          <input
            className={styles.field}
            // biome-ignore lint/a11y/noAutofocus: it was opened to type into it
            autoFocus
            role="combobox"
            aria-label={label}
            aria-expanded
            aria-controls={id}
            aria-activedescendant={items.length > 0 ? `${id}-${current}` : undefined}
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            placeholder={placeholder}
            value={text}
            onChange={(event) => {
              setAt(0)
              onText(event.target.value)
            }}
            onKeyDown={pressed}
          />
          <div id={id} ref={list} className={styles.list} role="listbox" aria-label={label}>
            {groups
              .filter((group) => group.items.length > 0)
              .map((group) => (
                // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
                <div key={group.heading} role="group" aria-label={group.heading}>
                  <div className={styles.heading} aria-hidden>
                    {group.heading}
                  </div>
                  {group.items.map((item) => (
                    <Option
                      key={item.id}
                      id={`${id}-${items.indexOf(item)}`}
                      item={item}
                      isCurrent={items[current] === item}
                      onHover={() => setAt(items.indexOf(item))}
                      onPick={() => onPick(item)}
                    />
                  ))}
                </div>
              ))}
          </div>
          {items.length === 0 ? (
            <p className={styles.nothing} role="status">
              {nothing}
            </p>
          ) : null}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

interface OptionProps {
  readonly id: string
  readonly item: Pick
  readonly isCurrent: boolean
  onHover(): void
  onPick(): void
}

function Option({ id, item: { label, hint, keys, icon: Icon }, isCurrent, onHover, onPick }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled in the field, which has the focus
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div id={id} className={styles.option} role="option" aria-selected={isCurrent} onClick={onPick} onPointerMove={onHover}>
      {Icon === undefined ? null : <Icon size={16} aria-hidden />}
      <span className={styles.label}>{label}</span>
      {hint === undefined ? null : <span className={styles.hint}>{hint}</span>}
      {keys === undefined ? null : <Keys names={keys} />}
    </div>
  )
}

export function Keys({ names }: { readonly names: readonly string[] }) {
  return (
    <span className={styles.keys}>
      {names.map((name) => (
        <kbd key={name}>{name}</kbd>
      ))}
    </span>
  )
}

import { keyNames } from '../../ui/commands.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Keys } from '../../ui/picker.tsx'
import styles from './key-help.module.css'
import { useCommandWords } from './words.ts'

const everywhere = [
  ['Mod+K', 'palette'],
  ['/', 'toSearch'],
  ['Mod+Z', 'undo'],
  ['?', 'help'],
] as const
const inLists = [
  ['↑+↓+←+→', 'move'],
  ['Shift+↑+↓', 'extend'],
  ['A…Z', 'typeAhead'],
  ['Enter', 'open'],
  ['Space', 'select'],
  ['Mod+A', 'selectAll'],
  ['Escape', 'clear'],
  ['P', 'preview'],
  ['F2', 'rename'],
  ['Mod+C', 'copy'],
  ['Mod+X', 'cut'],
  ['Mod+V', 'paste'],
  ['Delete', 'trash'],
] as const
const inPreview = [
  ['←+→', 'neighbours'],
  ['Escape', 'leave'],
] as const

/** All keys there are. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const say = useCommandWords()
  const parts = [
    ['everywhere', everywhere],
    ['inLists', inLists],
    ['inPreview', inPreview],
  ] as const
  return (
    <Dialog title={say('keys')} isOpen onClose={onClose}>
      {parts.map(([heading, keys]) => (
        <section key={heading} className={styles.part} aria-label={say(heading)}>
          <h3>{say(heading)}</h3>
          <dl className={styles.keys}>
            {keys.map(([names, word]) => (
              <div key={names}>
                <dt>{say(word)}</dt>
                <dd>
                  <Keys names={keyNames(names)} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}

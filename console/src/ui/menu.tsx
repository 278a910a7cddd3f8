import type { ReactNode } from 'react'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  type MenuItemProps,
  type MenuProps,
  MenuTrigger,
  Popover,
} from 'react-aria-components'
import styles from './menu.module.css'

interface UnfoldingProps extends Omit<MenuProps<object>, 'className'> {
  readonly trigger: ReactNode
  onOpenChange?(isOpen: boolean): void
}

/** A button and what it unfolds: `trigger` first, then the items. */
export function Menu({ trigger, onOpenChange, children, ...rest }: UnfoldingProps) {
  return (
    <MenuTrigger {...(onOpenChange && { onOpenChange })}>
      {trigger}
      <Popover>
        <AriaMenu className={styles.list} {...rest}>
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

export function MenuItem(props: Omit<MenuItemProps, 'className'>) {
  return <AriaMenuItem className={styles.item} {...props} />
}

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

/** A button and what it unfolds: `trigger` first, then the items. */
export function Menu({ trigger, children, ...rest }: Omit<MenuProps<object>, 'className'> & { readonly trigger: ReactNode }) {
  return (
    <MenuTrigger>
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

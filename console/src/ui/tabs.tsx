import type { ReactNode } from 'react'
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components'
import styles from './tabs.module.css'

export interface TabsProps<Id extends string> {
  readonly label: string
  readonly selected: Id
  onSelect(id: Id): void
  readonly tabs: readonly { readonly id: Id; readonly label: string; readonly panel: () => ReactNode }[]
}

/** Several views of one thing; only the one that is looked at exists. */
export function Tabs<Id extends string>({ label, selected, onSelect, tabs }: TabsProps<Id>) {
  return (
    <AriaTabs className={styles.tabs} selectedKey={selected} onSelectionChange={(key) => onSelect(key as Id)}>
      <TabList className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className={styles.tab}>
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className={styles.panel}>
          {tab.panel()}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}

import { createContext, use } from 'react'

/** The fault of a field of the form, by its name. */
export const DoorFaults = createContext<(name: string) => string | null>(() => null)

export const useDoorFault = (name: string) => use(DoorFaults)(name)

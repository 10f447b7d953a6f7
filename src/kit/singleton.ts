/** Caches and hubs of domains: each runtime has one of each. */
export type Singletons = Map<string, unknown>

/** Returns the instance of this name that belongs to a runtime. `make` creates it on first use. */
export const singleton =
  <T, R = unknown>(name: string, make: (runtime: R) => T) =>
  (runtime: R & { singletons: Singletons }): T => {
    const { singletons } = runtime
    if (!singletons.has(name)) singletons.set(name, make(runtime))
    return singletons.get(name) as T
  }

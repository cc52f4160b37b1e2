import { type StaticDataRouteOption, useRouter } from "@tanstack/react-router"

export type NavigationEntry = Required<StaticDataRouteOption>["inNavigation"] & {
  readonly to: string
  readonly name: string
}

/** The pages of the navigation, as `routes.tsx` has them. */
export const useNavigation = (): ReadonlyArray<NavigationEntry> =>
  Object.values(useRouter().routesById).flatMap(({ fullPath: to, options: { staticData } }) =>
    staticData.inNavigation === undefined ? [] : [{ to, name: staticData.name, ...staticData.inNavigation }]
  )

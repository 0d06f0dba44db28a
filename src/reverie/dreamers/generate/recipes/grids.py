"""Matrices and grids."""

from collections import deque


def transpose(matrix: list[list[int]]) -> list[list[int]]:
    """A rectangular matrix with rows and columns swapped.

    Also: transpose.

    >>> transpose([[1, 2], [3, 4]])
    [[1, 3], [2, 4]]
    """
    return [list(column) for column in zip(*matrix, strict=True)]


def rotate_clockwise(matrix: list[list[int]]) -> list[list[int]]:
    """A matrix turned clockwise by a quarter.

    Also: rotate 90 degrees, rotate image.

    >>> rotate_clockwise([[1, 2], [3, 4]])
    [[3, 1], [4, 2]]
    """
    return [list(row) for row in zip(*matrix[::-1], strict=True)]


def rotate_counterclockwise(matrix: list[list[int]]) -> list[list[int]]:
    """A matrix turned counter-clockwise by a quarter.

    Also: rotate left 90 degrees.

    >>> rotate_counterclockwise([[1, 2], [3, 4]])
    [[2, 4], [1, 3]]
    """
    return [list(row) for row in zip(*matrix, strict=True)][::-1]


def multiply_matrices(first: list[list[int]], second: list[list[int]]) -> list[list[int]]:
    """The product of two matrices.

    Also: matrix multiplication.

    >>> multiply_matrices([[1, 2]], [[3], [4]])
    [[11]]
    """
    columns = list(zip(*second, strict=True))
    return [[sum(a * b for a, b in zip(row, col, strict=True)) for col in columns] for row in first]


def add_matrices(first: list[list[int]], second: list[list[int]]) -> list[list[int]]:
    """The sum of two matrices of equal shape.

    Also: matrix addition.

    >>> add_matrices([[1, 2]], [[3, 4]])
    [[4, 6]]
    """
    rows = zip(first, second, strict=True)
    return [[a + b for a, b in zip(one, two, strict=True)] for one, two in rows]


def identity_matrix(size: int) -> list[list[int]]:
    """The identity matrix of a size.

    Also: unit matrix.

    >>> identity_matrix(2)
    [[1, 0], [0, 1]]
    """
    return [[int(row == column) for column in range(size)] for row in range(size)]


def column_sums(matrix: list[list[int]]) -> list[int]:
    """The sum of each column of a matrix.

    Also: totals by column.

    >>> column_sums([[1, 2], [3, 4]])
    [4, 6]
    """
    return [sum(column) for column in zip(*matrix, strict=True)]


def diagonal_sum(matrix: list[list[int]]) -> int:
    """The sum of the main diagonal of a square matrix.

    Also: trace.

    >>> diagonal_sum([[1, 2], [3, 4]])
    5
    """
    return sum(row[at] for at, row in enumerate(matrix))


def determinant(matrix: list[list[int]]) -> int:
    """The determinant of a square matrix.

    Also: det.

    >>> determinant([[1, 2], [3, 4]])
    -2
    """
    if not matrix:
        return 1
    return sum(
        (-1) ** at * value * determinant([row[:at] + row[at + 1 :] for row in matrix[1:]])
        for at, value in enumerate(matrix[0])
    )


def is_symmetric(matrix: list[list[int]]) -> bool:
    """Whether a square matrix equals its transpose.

    Also: symmetric matrix.

    >>> [is_symmetric([[1, 2], [2, 1]]), is_symmetric([[1, 2], [3, 1]])]
    [True, False]
    """
    return matrix == [list(column) for column in zip(*matrix, strict=True)]


def spiral_order(matrix: list[list[int]]) -> list[int]:
    """The items of a matrix in clockwise spiral order from the top left.

    Also: spiral traversal.

    >>> spiral_order([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    [1, 2, 3, 6, 9, 8, 7, 4, 5]
    """
    items: list[int] = []
    rows = [list(row) for row in matrix]
    while rows:
        items.extend(rows.pop(0))
        rows = [list(row) for row in zip(*rows, strict=True)][::-1]
    return items


def count_islands(grid: list[list[int]]) -> int:
    """How many groups of 1 cells, joined by their sides, a grid has.

    Also: number of islands, connected components.

    >>> count_islands([[1, 0, 1], [1, 0, 0]])
    2
    """
    left = {(y, x) for y, row in enumerate(grid) for x, cell in enumerate(row) if cell == 1}
    count = 0
    while left:
        count += 1
        waiting = [left.pop()]
        while waiting:
            y, x = waiting.pop()
            for place in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if place in left:
                    left.remove(place)
                    waiting.append(place)
    return count


def largest_island(grid: list[list[int]]) -> int:
    """The size of the largest group of 1 cells joined by their sides.

    Also: max area of island.

    >>> largest_island([[1, 0, 1], [1, 0, 0]])
    2
    """
    left = {(y, x) for y, row in enumerate(grid) for x, cell in enumerate(row) if cell == 1}
    largest = 0
    while left:
        waiting, size = [left.pop()], 0
        while waiting:
            y, x = waiting.pop()
            size += 1
            for place in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
                if place in left:
                    left.remove(place)
                    waiting.append(place)
        largest = max(largest, size)
    return largest


def count_paths(rows: int, columns: int) -> int:
    """How many paths lead through a grid moving only right or down.

    Also: unique paths, lattice paths.

    >>> count_paths(3, 3)
    6
    """
    ways = [1] * columns
    for _ in range(rows - 1):
        for x in range(1, columns):
            ways[x] += ways[x - 1]
    return ways[-1]


def count_open_paths(grid: list[list[int]]) -> int:
    """How many paths lead from the top left to the bottom right through 0 cells, right or down.

    Also: unique paths with obstacles.

    >>> [count_open_paths([[0, 0], [0, 0]]), count_open_paths([[0, 1], [0, 0]])]
    [2, 1]
    """
    ways = [1] + [0] * (len(grid[0]) - 1)
    for row in grid:
        for x, cell in enumerate(row):
            if cell:
                ways[x] = 0
            elif x:
                ways[x] += ways[x - 1]
    return ways[-1]


def cheapest_path(grid: list[list[int]]) -> int:
    """The least total of a path from the top left to the bottom right, right or down.

    Also: minimum path sum.

    >>> cheapest_path([[1, 3, 1], [1, 5, 1], [4, 2, 1]])
    7
    """
    best: list[float] = [0] + [float("inf")] * (len(grid[0]) - 1)
    for row in grid:
        for x, cell in enumerate(row):
            best[x] = cell + (min(best[x], best[x - 1]) if x else best[x])
    return int(best[-1])


def shortest_path_in_grid(grid: list[list[int]]) -> int:
    """The fewest steps through 0 cells from the top left to the bottom right; -1 for none.

    Also: grid distance, maze, breadth-first search.

    >>> [shortest_path_in_grid([[0, 0], [1, 0]]), shortest_path_in_grid([[0, 1], [1, 0]])]
    [2, -1]
    """
    height, width = len(grid), len(grid[0])
    waiting, seen = deque([(0, 0, 0)]), {(0, 0)}
    if grid[0][0] or grid[-1][-1]:
        return -1
    while waiting:
        y, x, steps = waiting.popleft()
        if (y, x) == (height - 1, width - 1):
            return steps
        for b, a in ((y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)):
            inside = 0 <= b < height and 0 <= a < width
            if inside and not grid[b][a] and (b, a) not in seen:
                seen.add((b, a))
                waiting.append((b, a, steps + 1))
    return -1


def flood_fill(grid: list[list[int]], row: int, column: int, colour: int) -> list[list[int]]:
    """A grid with the area of equal cells around a place filled with a colour.

    Also: paint bucket, flood fill.

    >>> flood_fill([[1, 1], [0, 1]], 0, 0, 2)
    [[2, 2], [0, 2]]
    """
    filled = [list(each) for each in grid]
    old = filled[row][column]
    waiting = [(row, column)] if old != colour else []
    while waiting:
        y, x = waiting.pop()
        if 0 <= y < len(filled) and 0 <= x < len(filled[y]) and filled[y][x] == old:
            filled[y][x] = colour
            waiting += [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
    return filled


def game_of_life(grid: list[list[int]]) -> list[list[int]]:
    """The next generation of Conway's Game of Life.

    Also: cellular automaton step.

    >>> game_of_life([[0, 1, 0], [0, 1, 0], [0, 1, 0]])
    [[0, 0, 0], [1, 1, 1], [0, 0, 0]]
    """
    alive = {(y, x) for y, row in enumerate(grid) for x, cell in enumerate(row) if cell}
    around = [(b, a) for b in (-1, 0, 1) for a in (-1, 0, 1) if (b, a) != (0, 0)]

    def lives(y: int, x: int) -> int:
        near = sum((y + b, x + a) in alive for b, a in around)
        return int(near == 3 or (near == 2 and (y, x) in alive))

    return [[lives(y, x) for x in range(len(row))] for y, row in enumerate(grid)]

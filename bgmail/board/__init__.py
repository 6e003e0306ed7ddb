"""How a position looks: SVG for pages, a PNG for letters, plain characters for text. Knows rules and Pillow only."""

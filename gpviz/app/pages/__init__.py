"""The pages below the tree, each of which looks closer at the iteration under the cursor."""
